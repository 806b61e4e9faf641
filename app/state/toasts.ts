import { create } from 'zustand'
import { GodHandError } from '../../main/contract/errors.ts'
import type { Route } from '../route/route.ts'

export type Toast = {
  id: number
  tone: 'plain' | 'fail'
  message: string
  hint?: string | undefined
  to?: Route | undefined
}

let lastId = 0
const most = 4

export const useToasts = create<{ toasts: readonly Toast[] }>()(() => ({ toasts: [] }))

export function toast(message: string, rest: Partial<Omit<Toast, 'id' | 'message'>> = {}): void {
  const added: Toast = { id: ++lastId, tone: 'plain', message, ...rest }
  useToasts.setState(({ toasts }) => ({ toasts: [...toasts, added].slice(-most) }))
}

export function toastError(thrown: unknown): void {
  const error = GodHandError.from(thrown)
  toast(error.message, { tone: 'fail', hint: error.hint })
}

export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((one) => one.id !== id) }))
}

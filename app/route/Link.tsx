import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { navigate } from './navigation.ts'
import { pathOf, type Route } from './route.ts'

type Props = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> & { to: Route }

/** A real link: middle click and "open in a new tab" work as anywhere. */
export function Link({ to, onClick, children, ...rest }: Props) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    navigate(to)
  }
  return (
    <a {...rest} href={pathOf(to)} onClick={follow}>
      {children}
    </a>
  )
}

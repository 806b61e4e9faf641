import { z } from 'zod'
import { GodHandError } from '../contract/errors.ts'
import { type Input, type MethodName, methods, type Output } from '../contract/rpc.ts'
import type { Engine } from '../engine.ts'

/** The same schemas, said so that the compiler joins each method with its own input and answer. */
const schemas: { [M in MethodName]: { input: z.ZodType<Input<M>>; output: z.ZodType<Output<M>> } } = methods

function isMethod(name: string): name is MethodName {
  return Object.hasOwn(schemas, name)
}

/** One call by name: input parsed, engine asked, answer checked, so that neither side ever sees what the contract does not name. */
export async function callByName(engine: Engine, name: string, params: unknown): Promise<unknown> {
  if (!isMethod(name))
    throw new GodHandError('bad_request', `There is no method called ${JSON.stringify(name).slice(0, 100)}.`, {
      hint: 'The client may be of another version than the engine: restart both.',
    })
  return await call(engine, name, params)
}

async function call<M extends MethodName>(engine: Engine, name: M, params: unknown): Promise<unknown> {
  const input = schemas[name].input.safeParse(params ?? {})
  if (!input.success)
    throw new GodHandError('bad_request', `${name}: ${z.prettifyError(input.error)}`, {
      cause: input.error,
      details: { issues: input.error.issues },
    })
  const output = schemas[name].output.safeParse(await engine.call(name, input.data))
  if (!output.success)
    throw new GodHandError('internal', `The engine's answer to ${name} does not fit the contract.`, {
      cause: output.error,
      details: { issues: z.prettifyError(output.error) },
    })
  return output.data
}

import type { MethodName, Output, Parsed } from '../contract/rpc.ts'

/** What answers the calls of the contract. */
export type Handlers = { [M in MethodName]: (input: Parsed<M>) => Promise<Output<M>> | Output<M> }

import { z } from 'zod'

/** Names are shown, searched and made part of other names, so nothing that looks like markup or a path gets in. */
export const SafeName = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._:/@+()-]{0,199}$/u)
export const Sha256 = z.string().regex(/^[0-9a-f]{64}$/)

/** What a machine was made of, as far as it is known. */
export const Environment = z.object({
  imageHash: Sha256.nullable().default(null), // sha256 of the guest's disk image
  templateKey: SafeName.nullable().default(null), // what the pre-booted desktop depends on
  qemuVersion: SafeName.nullable().default(null),
  qemuHash: Sha256.nullable().default(null), // over everything that QEMU is made of
  driver: SafeName.nullable().default(null),
  accelerator: SafeName.nullable().default(null),
  screen: z
    .object({ width: z.number().int().positive(), height: z.number().int().positive() })
    .nullable()
    .default(null),
})
export type Environment = z.infer<typeof Environment>
export type EnvironmentInput = z.input<typeof Environment>

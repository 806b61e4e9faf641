import { z } from 'zod'

// zod compiles parsers with `new Function` where it may. The page's content policy forbids that, and the mere attempt
// is reported as a violation; so this must be imported before any schema is made.
z.config({ jitless: true })

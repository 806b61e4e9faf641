import { createContext } from 'react'

/** Apart from the nodes' own data, so that a choice draws again only what is in sight. */
export const Chosen = createContext<{ id: string | null; against: string | null; choose: (id: string) => void }>({
  id: null,
  against: null,
  choose: () => {},
})

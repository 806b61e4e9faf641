import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** The engine that `vite` (the development server) passes calls, pictures and the live screen on to. */
const engine = process.env.GODHAND_DEV_ENGINE ?? 'http://127.0.0.1:7700'

export default defineConfig({
  root: fileURLToPath(new URL('app', import.meta.url)),
  plugins: [react(), tailwindcss()],
  build: {
    outDir: fileURLToPath(new URL('dist/app', import.meta.url)),
    emptyOutDir: true,
    // Everything comes from 'self': no data: addresses for the content policy to allow.
    assetsInlineLimit: 0,
    target: 'es2023',
  },
  server: {
    proxy: {
      '/rpc': { target: engine, ws: true },
      '/vnc': { target: engine, ws: true },
      '/frames': { target: engine },
    },
  },
})

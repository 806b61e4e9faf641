/** Where the panel of our own images has its buttons. */
export const TERMINAL_BUTTON = { x: 22, y: 780 }
export const FILES_BUTTON = { x: 59, y: 780 }
export const EDITOR_BUTTON = { x: 96, y: 780 }

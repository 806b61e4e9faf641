export const DEFAULT_MODEL = 'gpt-6.1-sol'

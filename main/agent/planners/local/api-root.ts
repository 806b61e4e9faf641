export function apiRoot(baseUrl: string): string {
  const bare = baseUrl.replace(/\/+$/, '')
  return /\/v\d+$/.test(bare) ? bare : `${bare}/v1`
}

/** A pointing hand, as a cursor is one, with a spark where it touches. */
export function Logo({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
      <g fill="currentColor">
        <rect x="10" y="7.5" width="4.2" height="17" rx="2.1" />
        <rect x="14.8" y="13.4" width="3.6" height="9" rx="1.8" />
        <rect x="19" y="14.3" width="3.4" height="8" rx="1.7" />
        <rect x="23" y="15.6" width="3.2" height="8" rx="1.6" />
        <path d="M10 19.4h16.2v3.4a6.6 6.6 0 0 1-6.6 6.6h-3.4a6.2 6.2 0 0 1-6.2-6.2z" />
        <path d="M11.8 25 6.6 19.6" fill="none" stroke="currentColor" strokeWidth="3.8" strokeLinecap="round" />
      </g>
      <circle cx="12.1" cy="3.2" r="2.5" className="fill-gold" />
    </svg>
  )
}

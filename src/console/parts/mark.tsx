/** The sign of the product: two lines that change places. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" fill="#3b4ac8" />
      <path
        d="M9 10c8 0 6 12 14 12M9 22c8 0 6-12 14-12"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
      />
      <g fill="#fff">
        <circle cx="8.5" cy="10" r="2.6" />
        <circle cx="8.5" cy="22" r="2.6" />
        <circle cx="23.5" cy="10" r="2.6" />
        <circle cx="23.5" cy="22" r="2.6" />
      </g>
    </svg>
  )
}

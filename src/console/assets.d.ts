/** Style sheets are taken in by the bundler. */
declare module '*.css'

/** A font becomes a file beside the scripts; what is imported is its address, relative to them. */
declare module '*.woff2' {
  const address: string
  export default address
}

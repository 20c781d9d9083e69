declare module '*.tar.zst' {
  /** Where the archive is found at run time. */
  const path: string
  export default path
}

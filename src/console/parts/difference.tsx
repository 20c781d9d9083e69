import { Text } from '@mantine/core'
import { diffLines, diffWordsWithSpace } from 'diff'

/** What became of a text: by lines where it has several, else by words. */
export function Difference({ from, to }: { from: string; to: string }) {
  const isLong = from.includes('\n') || to.includes('\n')
  const parts = isLong ? diffLines(from, to, { ignoreNewlineAtEof: true }) : diffWordsWithSpace(from, to)
  return (
    <Text size="sm" className="difference prose" component="div">
      {parts.map(({ value, added, removed }, index) => {
        const key = `${index} ${value.slice(0, 20)}`
        if (added) return <ins key={key}>{value}</ins>
        if (removed) return <del key={key}>{value}</del>
        return <span key={key}>{value}</span>
      })}
    </Text>
  )
}

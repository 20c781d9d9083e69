import { Card, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { serverUrl } from '../../../api/address.ts'
import type { EmbedConfig } from './settings.ts'

/** Fills an empty frame with a page that has the widget's tag, as a website would. */
function fill(frame: HTMLIFrameElement, config: EmbedConfig, publicKey: string): void {
  const page = frame.contentDocument
  if (!page) return
  const script = page.createElement('script')
  script.src = `${serverUrl}/widget.js`
  script.dataset.apiUrl = `${serverUrl}/widget/${publicKey}`
  script.dataset.config = JSON.stringify(config)
  page.body.replaceChildren()
  page.body.style.cssText = 'margin:0;background:#eef0f6'
  page.body.append(script)
}

/** The widget itself, in a frame of its own, with the settings of the form. */
export function Preview({ config, publicKey }: { config: EmbedConfig; publicKey: string }) {
  const json = JSON.stringify(config)
  return (
    <Card padding={0}>
      <Text size="sm" c="dimmed" p="md">
        The widget itself: open it and talk to it. What is written here stands under Conversations, too.
      </Text>
      <Frame key={json} config={config} publicKey={publicKey} />
    </Card>
  )
}

function Frame({ config, publicKey }: { config: EmbedConfig; publicKey: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another configuration is another frame, by its key
  useEffect(() => {
    if (frame.current) fill(frame.current, config, publicKey)
  }, [])
  return <iframe ref={frame} title="Preview of the widget" className="preview" />
}

import { Anchor, Card, Group, List, Progress, Text, ThemeIcon, Title } from '@mantine/core'
import { IconCheck, IconCircleDashed } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Access, type Feature, mayRead, useAccess } from '../../session/access.tsx'
import type { Overview } from './home.tsx'

interface Step {
  done: boolean
  title: string
  hint: ReactNode
}

/** What makes an installation complete, read from the server, as far as the caller may read it. */
function stepsOf({ parts, counts }: Overview, access: Access): Step[] {
  const ofFeatures: (Step & { feature: Feature })[] = [
    {
      feature: 'assistants',
      done: counts.assistants > 0,
      title: 'A first assistant',
      hint: <Hint to="/build">Build one, and talk to it without a phone.</Hint>,
    },
    {
      feature: 'ai_chat',
      done: counts.agents > 0,
      title: 'A first agent',
      hint: <Hint to="/agents">Give it a file and ask it something.</Hint>,
    },
    {
      feature: 'phone_numbers',
      done: counts.phone_numbers > 0,
      title: 'A phone number',
      hint: <Hint to="/numbers">Get one and say who answers.</Hint>,
    },
  ]
  const steps = ofFeatures.filter(({ feature }) => mayRead(access, feature))
  if (access.role !== 'admin') return steps
  return [
    ...steps,
    {
      done: counts.users > 1,
      title: 'A second user',
      hint: <Hint to="/admin">Make a user with a token for somebody else.</Hint>,
    },
    {
      done: parts.voice_platform.kind === 'live',
      title: 'A live voice platform',
      hint: 'Set VOICE_PLATFORM_URL and VOICE_PLATFORM_API_KEY; until then calls are simulated.',
    },
    {
      done: parts.language_model.kind === 'configured',
      title: 'A language model',
      hint: 'Set LLM_BASE_URL, LLM_API_KEY and LLM_MODELS; until then replies are passages of files.',
    },
    {
      done: parts.embedder.kind === 'configured',
      title: 'An embedder for other languages',
      hint: 'Set EMBEDDINGS_MODEL to one of the same server; until then files are searched by meaning in English alone.',
    },
    {
      done: parts.carrier.kind === 'twilio',
      title: 'A carrier',
      hint: 'Set CARRIER=twilio with its account; until then numbers are made up.',
    },
  ]
}

function Hint({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Anchor component={Link} to={to} size="sm" underline="always">
      {children}
    </Anchor>
  )
}

/** The set-up as a list with what is still to do; nothing where there is nothing for the caller. */
export function Checklist({ overview }: { overview: Overview }) {
  const steps = stepsOf(overview, useAccess())
  if (steps.length === 0) return null
  const done = steps.filter((step) => step.done).length
  return (
    <Card>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          What to set up
        </Title>
        <Text size="sm" c="dimmed" className="numbers">
          {done} of {steps.length}
        </Text>
      </Group>
      <Progress value={(done / steps.length) * 100} color="teal" size="sm" mb="md" aria-label="Set-up" />
      <List spacing="sm" listStyleType="none" styles={{ itemWrapper: { alignItems: 'flex-start' } }}>
        {steps.map((step) => (
          <List.Item
            key={step.title}
            icon={
              <ThemeIcon variant="light" color={step.done ? 'teal' : 'gray'} size={24} radius="xl">
                {step.done ? <IconCheck size={14} /> : <IconCircleDashed size={14} />}
              </ThemeIcon>
            }
          >
            <Text size="sm" fw={600}>
              {step.title}
            </Text>
            {!step.done && (
              <Text size="sm" c="dimmed" component="div">
                {step.hint}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </Card>
  )
}

import { Alert, Badge, Button, Group, Modal, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type client, queryClient } from '../../api/client.ts'
import { fieldErrors, messageOf } from '../../api/failure.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { tellDone, tellFailed } from '../../parts/saved.ts'

type Bought = Awaited<ReturnType<typeof client.phoneNumbers.buy.mutate>>['data']

/** A dialog with the carrier's offer; it asks before a number is bought, unless the numbers are made up. */
export function BuyNumber({ onBought, onClose }: { onBought: (number: Bought) => void; onClose: () => void }) {
  const [area, setArea] = useState('')
  const [asked] = useDebouncedValue(area.trim(), 300)
  const { data, error } = useQuery(api.phoneNumbers.available.queryOptions({ area_code: asked || undefined }))
  const overview = useQuery(api.overview.get.queryOptions({}))
  const isMadeUp = overview.data?.data.parts.carrier.kind === 'embedded'
  const buy = useMutation(
    api.phoneNumbers.buy.mutationOptions({
      onSuccess({ data: bought }) {
        tellDone(`${bought.phone_number} is yours. Say who answers it.`)
        queryClient.invalidateQueries(api.phoneNumbers.pathFilter())
        queryClient.invalidateQueries(api.overview.pathFilter())
        onClose()
        onBought(bought)
      },
      onError: tellFailed,
    }),
  )
  /** Gets it, once also where it is clicked twice. */
  const get = (phone_number: string) => {
    const mutationKey = api.phoneNumbers.buy.mutationKey()
    if (queryClient.isMutating({ mutationKey }) === 0) buy.mutate({ phone_number })
  }
  return (
    <Modal opened onClose={onClose} title="Get a number">
      <Stack>
        <TextInput
          label="Area code"
          placeholder="415"
          description="Three digits of the United States; any when it is empty."
          value={area}
          onChange={(event) => setArea(event.currentTarget.value)}
          error={error && (fieldErrors(error).area_code ?? messageOf(error))}
          maxLength={3}
          data-autofocus
        />
        {isMadeUp && (
          <Alert>
            These numbers are made up, and nobody can call them: this server has no carrier yet. All else is as with
            real ones.
          </Alert>
        )}
        {!data && !error && <Skeleton h={200} />}
        {data?.data.length === 0 && <Alert>The carrier offers no number here. Try another area code.</Alert>}
        {data?.data.slice(0, 10).map(({ phone_number, friendly_name, locality, region, capabilities }) => (
          <Group key={phone_number} justify="space-between" wrap="nowrap">
            <div>
              <Text fw={600} className="numbers">
                {friendly_name}
              </Text>
              <Text size="sm" c="dimmed">
                {[locality, region].filter(Boolean).join(', ')} {capabilities.sms && <Badge color="gray">SMS</Badge>}
              </Text>
            </div>
            <Confirm
              title={`Buy ${phone_number}?`}
              text="The carrier charges for it from now on, until it is released."
              action="Buy the number"
              harmless
              onConfirm={() => get(phone_number)}
            >
              {(ask) => (
                <Button
                  size="xs"
                  variant="default"
                  aria-label={`Get it: ${phone_number}`}
                  disabled={buy.isPending}
                  loading={buy.isPending && buy.variables.phone_number === phone_number}
                  onClick={isMadeUp ? () => get(phone_number) : ask}
                >
                  Get it
                </Button>
              )}
            </Confirm>
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}

import { MultiSelect, NumberInput, Select, SimpleGrid, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { User } from './users.tsx'

export interface UserValues {
  name: string
  email: string
  role: User['role']
  workspace_role: User['workspace_role']
  features: User['features']
  assistant_quota: number | ''
}

const roles = [
  { value: 'user', label: 'User' },
  { value: 'reseller_admin', label: 'Reseller' },
  { value: 'admin', label: 'Operator' },
]

const features = [
  { value: 'assistants', label: 'Assistants' },
  { value: 'phone_numbers', label: 'Numbers' },
  { value: 'squads', label: 'Squads' },
  { value: 'ai_chat', label: 'Agents' },
]

/** What operators decide about a user. */
export function UserFields({ form }: { form: UseFormReturnType<UserValues> }) {
  return (
    <>
      <TextInput label="Name" withAsterisk {...form.getInputProps('name')} />
      <TextInput label="E-mail address" type="email" withAsterisk {...form.getInputProps('email')} />
      <SimpleGrid cols={2}>
        <Select label="Role" data={roles} allowDeselect={false} {...form.getInputProps('role')} />
        <Select
          label="In the workspace"
          data={['owner', 'editor', 'viewer']}
          allowDeselect={false}
          {...form.getInputProps('workspace_role')}
        />
      </SimpleGrid>
      <MultiSelect label="Features" data={features} {...form.getInputProps('features')} />
      <NumberInput
        label="Assistants at most"
        placeholder="No limit"
        min={0}
        {...form.getInputProps('assistant_quota')}
      />
    </>
  )
}

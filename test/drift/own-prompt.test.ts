import { beforeEach, describe, expect, test } from 'vitest'
import { type Body, createDriftRig, type DriftRig } from './rig.ts'

let rig: DriftRig
beforeEach(async () => {
  rig = await createDriftRig()
  return () => rig.stop()
})

const company = { company: 'Acme' }
const texts = (of: string) => ({
  name: of,
  prompt: `${of} works for {{company}}.`,
  first_message: `${of} at {{company}}`,
  end_call_message: `Bye from ${of}`,
})
const spoken = (of: string) => ({ firstMessage: `${of} at Acme`, endCallMessage: `Bye from ${of}` })
const prompt = (content: string) => ({ model: { messages: [{ role: 'system', content }] } })
const template = async (of: string) =>
  (await rig.data('POST', '/admin/prompt-templates', texts(of), await rig.operator())).id

const live = async (record: Body) =>
  (await rig.outside.assistants.get(String(record.voice_assistant_id))) as unknown as Body

/** The same assistant with another prompt on the platform. */
async function prompted(record: Body): Promise<Body> {
  const { model } = await live(record)
  const outside = { model: { ...(model as Body), ...prompt('Outside').model } }
  await rig.outside.assistants.update(String(record.voice_assistant_id), outside as never)
  return record
}

async function built(templateId: unknown): Promise<Body> {
  const config = { firstMessage: 'Base hello', endCallMessage: 'Base bye' }
  const { id } = await rig.data('POST', '/admin/base-configs', { name: 'Base', config }, await rig.operator())
  const body = { name: 'Ann', base_config_id: id, prompt_template_id: templateId, variable_values: company }
  return rig.data('POST', '/v2/assistants', body)
}

const editors = ['/assistants', '/advanced', '/v2/assistants']
const pathOf = (editor: string, { assistant_id: id }: Body) =>
  editor === '/advanced' ? `/assistants/${id}/advanced` : `${editor}/${id}`
const meetings = ['at once', 'theirs', 'merge']
const cases = editors.flatMap((editor) => meetings.map((how) => [editor, how] as const))

async function meet(record: Body, how: string): Promise<void> {
  if (how !== 'at once') await rig.data('POST', `/assistants/${record.assistant_id}/reconcile`, { keep: how })
}

describe('an assistant of v2 whose prompt was changed outside', () => {
  test.each(cases)('keeps what its template says else: %s, %s (drift 13)', async (editor, how) => {
    const record = await prompted(await built(await template('Clinic')))
    await meet(record, how)
    for (const name of ['Bob', 'Cid']) {
      await rig.data('PUT', pathOf(editor, record), { name })
      expect(await live(record)).toMatchObject({ name, ...spoken('Clinic'), ...prompt('Outside') })
    }
    expect(await rig.data('GET', `/assistants/${record.assistant_id}`)).toMatchObject({ template_id: null })
    expect(await rig.sweep()).toEqual([])
  })

  test.each(cases.flatMap((one) => ['Clinic', 'Shop'].map((named) => [named, ...one] as const)))(
    'is of the template %s again that a save names: %s, %s (drift 13)',
    async (named, editor, how) => {
      const ids: Body = { Clinic: await template('Clinic'), Shop: await template('Shop') }
      const record = await prompted(await built(ids.Clinic))
      await meet(record, how)
      const field = editor === '/v2/assistants' ? 'prompt_template_id' : 'template_id'
      await rig.data('PUT', pathOf(editor, record), { name: 'Ann', [field]: ids[named] })
      const made = { ...spoken(named), ...prompt(`${named} works for Acme.`) }
      expect(await live(record)).toMatchObject(made)
      await rig.data('PUT', pathOf(editor, record), { name: 'Bob' })
      expect(await live(record)).toMatchObject(made)
      expect(await rig.data('GET', `/assistants/${record.assistant_id}`)).toMatchObject({ template_id: ids[named] })
      expect(await rig.sweep()).toEqual([])
    },
  )

  test('keeps a prompt that a request says beside another template', async () => {
    const record = await prompted(await built(await template('Clinic')))
    await rig.data('PUT', pathOf('/v2/assistants', record), { system_prompt: 'Said' })
    await rig.data('PUT', pathOf('/v2/assistants', record), { prompt_template_id: await template('Shop') })
    expect(await live(record)).toMatchObject({ ...spoken('Shop'), ...prompt('Said') })
    expect(await rig.sweep()).toEqual([])
  })
})

describe('an assistant whose prompt was changed outside after its template was rewritten', () => {
  test.each(meetings)('says what was rendered last: %s (drift 13)', async (how) => {
    const operator = await rig.operator()
    const { id } = await rig.data('POST', '/admin/prompt-templates', texts('Clinic'), operator)
    const record = await rig.data('POST', '/assistants', { name: 'Ann', template_id: id, variableValues: company })
    await rig.data('PUT', `/admin/prompt-templates/${id}`, { ...texts('Shop'), name: 'Clinic' }, operator)
    await prompted(record)
    await meet(record, how)
    const path = `/assistants/${record.assistant_id}`
    for (const name of how === 'at once' ? ['Bob'] : ['', 'Bob']) {
      if (name) await rig.data('PUT', path, { name })
      expect(await live(record)).toMatchObject({ ...spoken('Clinic'), ...prompt('Outside') })
      expect(await rig.data('GET', path)).toMatchObject({
        template_id: null,
        first_message: 'Clinic at Acme',
        first_message_raw: 'Clinic at {{company}}',
      })
    }
    expect(JSON.stringify(await rig.data('GET', `${path}/update-log`))).not.toContain('Shop')
    expect(await rig.sweep()).toEqual([])
  })
})

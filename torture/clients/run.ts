import { listAt, objectAt, send, textAt } from './api.ts'
import { createAssistant, deleteAssistant, updateAssistant, updateEmbed } from './assistants.ts'
import { takeCall } from './calls.ts'
import { deleteFile, uploadFile } from './files.ts'
import { buyNumber, releaseNumber, updateNumber } from './numbers.ts'
import { deleteSquad, draftSquad, publishSquad } from './squads.ts'
import { pay, type Thread, takeTurn } from './turns.ts'
import type { World } from './world.ts'

type Action = (world: World, thread: Thread) => Promise<void>

const actions = {
  'create assistant': (world) => createAssistant(world, false),
  'build assistant': (world) => createAssistant(world, true),
  'update assistant': updateAssistant,
  'update embed': updateEmbed,
  'delete assistant': deleteAssistant,
  'draft squad': draftSquad,
  'publish squad': publishSquad,
  'delete squad': deleteSquad,
  'buy number': buyNumber,
  'update number': updateNumber,
  'release number': releaseNumber,
  'take turn': takeTurn,
  pay,
  'upload file': uploadFile,
  'delete file': deleteFile,
  'take call': takeCall,
} satisfies Record<string, Action>

type ActionName = keyof typeof actions
type Weights = Partial<Record<ActionName, number>>

/** So many of a kind are kept at most: a small number is fought over. */
const bounds = { assistants: 12, squads: 4, numbers: 5 }

function mirrorWeights({ assistants, squads, numbers }: World): Weights {
  const room = (size: number, most: number, weight: number) => (size < most ? weight : 0)
  return {
    'create assistant': room(assistants.size, bounds.assistants, 14),
    'build assistant': room(assistants.size, bounds.assistants, 6),
    'update assistant': 30,
    'update embed': 14,
    'delete assistant': assistants.size > 4 ? 6 : 0,
    'draft squad': room(squads.size, bounds.squads, 5),
    'publish squad': 12,
    'delete squad': squads.size > 1 ? 3 : 0,
    'buy number': room(numbers.size, bounds.numbers, 5),
    'update number': 18,
    'release number': numbers.size > 1 ? 3 : 0,
  }
}

const turnWeights: Weights = { 'take turn': 8, pay: 2 }
const fileWeights: Weights = { 'upload file': 5, 'delete file': 2 }
const callWeights: Weights = { 'take call': 1 }

/** Most clients write what is mirrored; the others take turns, keep files and have calls. */
const turns = () => turnWeights
const files = () => fileWeights
const roles: ((world: World) => Weights)[] = [
  ...[mirrorWeights, turns, mirrorWeights, () => callWeights, mirrorWeights, files, mirrorWeights, mirrorWeights],
  ...[turns, mirrorWeights, files, mirrorWeights],
]

const pauseMs: [number, number] = [20, 150]

/** One client: it works until the round stops, and ends its last write. */
export async function runClient(world: World, index: number): Promise<void> {
  const random = world.random.fork()
  const weightsOf = roles[index % roles.length] ?? mirrorWeights
  const thread: Thread = {}
  while (!world.stopped) {
    const name = random.weighted(weightsOf(world))
    if (name) await actions[name](world, thread)
    await Bun.sleep(random.between(...pauseMs))
  }
}

/** Finds what creates without an answer made, and forgets what is gone, until the round stops. */
export async function keepPools(world: World): Promise<void> {
  const { mirrored, assistants, squads, numbers } = world
  while (!world.stopped) {
    await Bun.sleep(2_000)
    const server = world.random.pick(mirrored.servers)
    const get = (path: string) =>
      server && send(server, mirrored.token, { method: 'GET', path: `${path}?per_page=100` })
    const [found, led, owned] = await Promise.all([get('/assistants'), get('/squads'), get('/phone-numbers')])
    if (found?.answered && found.status === 200) {
      assistants.clear()
      for (const row of listAt(found.body, 'data')) {
        assistants.set(String(row.assistant_id), row.base_config_id !== null)
      }
    }
    if (led?.answered && led.status === 200) {
      squads.clear()
      for (const row of listAt(led.body, 'data')) {
        squads.set(textAt(objectAt(row, 'metadata'), 'key') ?? '', String(row.external_squad_id))
      }
    }
    if (owned?.answered && owned.status === 200) {
      numbers.clear()
      for (const row of listAt(owned.body, 'data')) numbers.add(String(row.phone_number))
    }
  }
}

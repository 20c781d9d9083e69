import { beforeAll, describe, expect, test } from 'vitest'
import { callerOf } from '../agents/caller.ts'
import { embedder, newUser, type TestApp, testApp } from '../support/app.ts'
import { indexedFile } from './indexed-file.ts'

const texts = {
  German: `# Fahrradverleih

Die Ausleihe ist nur gegen Vorlage eines gültigen Ausweises und einer Kaution von 80 Euro möglich.

Bei verspäteter Rückgabe berechnen wir je angefangene Stunde zwölf Euro.

Kindersitze und Helme stellen wir unentgeltlich zur Verfügung.

Schäden, die durch Dritte entstehen, sind unverzüglich zu melden.`,
  Spanish: `# Lavandería

Las prendas no retiradas en treinta días se donan a una asociación.

El servicio a domicilio se presta de lunes a jueves y tiene un suplemento de cuatro euros.

No nos hacemos responsables de los botones ni de los adornos.

El pago se efectúa al entregar la ropa, en efectivo o con tarjeta.`,
  French: `# Salle de sport

Les mineurs sont admis uniquement avec une autorisation écrite de leurs parents.

L'abonnement peut être suspendu pendant trois mois sur présentation d'un certificat médical.

Les casiers sont vidés chaque soir ; les objets trouvés sont conservés à l'accueil.

Le sauna est réservé aux femmes le mardi après-midi.`,
}

const asked: [language: keyof typeof texts, question: string, answer: string][] = [
  ['German', 'Ich komme erst später zurück, wird das teurer?', 'verspäteter Rückgabe'],
  ['German', 'Brauche ich Papiere, um ein Rad zu mieten?', 'gültigen Ausweises'],
  ['German', 'Habt ihr etwas für den Kopf meiner Tochter?', 'Kindersitze und Helme'],
  ['German', 'Somebody drove into the bike while it was parked', 'unverzüglich zu melden'],
  ['Spanish', '¿Pueden traerme las camisas a casa?', 'servicio a domicilio'],
  ['Spanish', 'Me olvidé de recoger mi abrigo el mes pasado', 'no retiradas'],
  ['Spanish', 'Do you take credit cards?', 'en efectivo o con tarjeta'],
  ['French', 'Mon fils de quinze ans peut-il venir seul ?', 'autorisation écrite'],
  ['French', 'Je me suis cassé la jambe, dois-je continuer à payer ?', 'suspendu'],
  ['French', 'I left my towel there yesterday', 'objets trouvés'],
]

let app: TestApp
beforeAll(async () => {
  app = await testApp()
  await embedder.embed(['The model is loaded before the first upload.'])
})

async function searchOf(text: string) {
  const { token } = await newUser(app.database)
  const caller = callerOf(app, token)
  const agent = await caller.agent()
  await indexedFile(app, { token, agent, name: 'house-rules.md', text })
  return async (question: string): Promise<string> => {
    const { body } = await caller.get(`/agents/${agent}/search?q=${encodeURIComponent(question)}`)
    return body.data[0].text
  }
}

describe.each(Object.entries(texts))('a file in %s', (language, text) => {
  let search: (question: string) => Promise<string>
  beforeAll(async () => {
    search = await searchOf(text)
  })

  test.each(asked.filter(([of]) => of === language))(
    '%s: "%s" finds the passage about it first',
    async (_, question, answer) => {
      expect(await search(question)).toContain(answer)
    },
  )
})

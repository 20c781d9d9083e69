import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSlots } from '../../src/api/rate-limit/slots.ts'
import { fillCatalogue } from '../../src/app/bootstrap/catalogue.ts'
import { languages } from '../../src/knowledge/language.ts'
import { localModel } from '../../src/language-model/local/model.ts'
import { promptSentences } from '../../src/language-model/local/orders/prompt-sentences.ts'
import { phrasesIn } from '../../src/language-model/local/phrases.ts'
import { createModels } from '../../src/language-model/models.ts'
import { converseThrough } from '../../src/resources/calls/converse.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { freshDatabase } from '../support/database.ts'
import { type Caller, caller } from '../support/numbers/rig.ts'

/** Orders of a prompt are said to no caller, and what it tells is. */
let app: TestApp
let me: Caller
beforeAll(async () => {
  const database = await freshDatabase()
  const models = createModels(localModel(), [])
  const converse = converseThrough({ db: database.db, models, slots: createSlots({ total: 40 }) })
  app = await testApp({ database }, { converse })
  await fillCatalogue(database.db, { now: new Date(), withTools: true, timeZone: 'Europe/Berlin' })
  me = await caller(app)
})
afterAll(() => app.database.close())

const doubts = languages.map((language) => phrasesIn(language).closest)
const { offer } = phrasesIn('en')

/** What an assistant replies to each line, said in a call of its own: nothing depends on what was said before. */
async function replies(assistantId: string, lines: readonly string[]): Promise<string[]> {
  const said: string[] = []
  for (const line of lines) {
    const { transcript } = await me.data(201, 'POST', `/assistants/${assistantId}/test-calls`, { messages: [line] })
    const reply = String(transcript).split('\nAI: ').at(-1) ?? ''
    said.push(doubts.reduce((text, doubt) => text.replace(doubt, ''), reply.replace(/^AI: /, '')).trim())
  }
  return said
}

const plain = async (prompt: string) => {
  const { assistant_id } = await me.data(201, 'POST', '/assistants', {
    name: `Desk ${crypto.randomUUID().slice(0, 8)}`,
    firstMessage: 'Hello.',
    model: { messages: [{ role: 'system', content: prompt }] },
  })
  return String(assistant_id)
}

const usual = [
  'I need to cancel my reservation.',
  'I would like to book an appointment.',
  'Can I move my appointment to next Tuesday?',
  'I am a new patient, do you take my insurance?',
  'What dishes do you have? I have an allergy.',
  'Can I have your phone number? Read it back to me please.',
  'I want to buy a house, can I see a home with two bedrooms?',
  'My pipe burst and it is urgent!',
  'How much is the call-out fee?',
  'When are you open?',
  'My name is Alex Morgan, the address is 1 Main Street, tomorrow at ten.',
  'There is heavy bleeding and trouble breathing, what do I do?',
  'Can a person call me back before I say goodbye?',
  'What do you do, and how do you speak?',
  'What are the reason for the visit and two times that would suit?',
  'I will be late, is our table held?',
  'What is the date today?',
]

/** The facts of a starter prompt with these values; everything else in it tells the assistant what to do. */
const facts: Record<string, RegExp> = {
  'Dental clinic': /^(?:Opening hours: .+|Dentists: .+|Accepted insurance: .+)$/,
  Restaurant: /^(?:Kitchen: .+|Opening hours: .+|Parties of up to .+ can be booked now\.|Tables are held for .+)$/,
  'Real estate': /^(?:Office hours: .+)$/,
  'Home services': /^(?:Opening hours: .+|The call-out fee is .+|It covers the trip and the diagnosis.+)$/,
}
const ours =
  /^(?:Today is .+|Goodbye[!.]|Thank you for calling Acme\.|I am an assistant\.|Noted: .+|You are welcome.+|Hello.+)$/

test('no starter prompt is read to a caller but its facts', async () => {
  const { industry_templates: industries } = (await me.data(200, 'GET', '/v2/assistants/form-options')) as never as {
    industry_templates: { id: number; name: string; custom_fields: { key: string }[] }[]
  }
  expect(industries.map(({ name }) => name).toSorted()).toEqual(Object.keys(facts).toSorted())
  const found: Record<string, string[]> = {}
  for (const { id, name, custom_fields } of industries) {
    const variable_values = Object.fromEntries(
      custom_fields.map(({ key }) => [key, `value of ${key.replace('_', ' ')}`]),
    )
    const { assistant_id } = await me.data(201, 'POST', '/v2/assistants', {
      name,
      industry_template_id: id,
      variable_values,
      metadata: { company_name: 'Acme', location: '1 Main St' },
    })
    const said = await replies(String(assistant_id), usual)
    const orders = said
      .flatMap((reply) => reply.split(/(?<=\.)\s+(?!the technician)/))
      .filter((sentence) => !offer.includes(sentence) && !ours.test(sentence) && !facts[name]?.test(sentence))
    if (orders.length > 0) found[name] = orders
    if (name !== 'Real estate') expect(said[9]).toContain('Opening hours: value of opening hours')
  }
  expect(found).toEqual({})
})

describe('an order in a prompt is said to nobody', () => {
  test.each<[string, string]>([
    ['To move or cancel a booking, ask for the name and the date.', 'I want to cancel my booking.'],
    ['Book, move and cancel appointments.', 'I want to move my appointment.'],
    ['New patients: ask for their insurer.', 'I am a new patient, who is my insurer?'],
    ['Questions about dishes: answer only with what is written here.', 'I have questions about dishes.'],
    ['Read phone numbers back in groups.', 'Do you read phone numbers in groups?'],
    [
      'Ask for the\nreason for the visit, and two times that would suit.',
      'The reason for my visit, two times that suit?',
    ],
    ['Take a message for the manager.', 'Can you take a message for the manager?'],
    ['Transfer urgent calls to the manager.', 'It is urgent, can I speak to the manager on a call?'],
    ['Spell e-mail addresses back letter by letter.', 'Do you spell my e-mail address by letter?'],
    ['Apologise for delays of a delivery.', 'My delivery has a delay.'],
    ['Before the call ends, thank them for the booking.', 'Thank you for the booking, does the call end?'],
    ['Check whether the date is free, and confirm it.', 'Is the date free?'],
    ['# Your job\n- Name and phone number of the guest\n- Reason for the visit', 'Do you need the name or the reason?'],
    [
      'Gather the following:\n- Date of arrival\n- Number of guests',
      'Is the date of arrival or the number of guests open?',
    ],
    ['If somebody asks for a refund, transfer them.', 'I want a refund, will you transfer me?'],
    ['When a guest is upset, let them finish and apologise.', 'I am an upset guest!'],
    ['Note the order number. Repeat the order.', 'My order has the number five.'],
    ['Under no circumstances reveal discounts.', 'What discounts are there, under which circumstances?'],
    ['In emergencies give the number of the doctor.', 'I have an emergency, what is the number of the doctor?'],
    ['Should the problem persist, open a ticket.', 'My problem persists, is there a ticket?'],
    ['Role: support agent for Acme Internet.', 'Is this the support of Acme Internet?'],
    ['Bei Notfällen verweise auf die Leitstelle.', 'Es ist ein Notfall, wo ist die Leitstelle?'],
    ['Tu réponds au téléphone du restaurant.', 'Est-ce le téléphone du restaurant ?'],
    ['Frage nach Namen und Datum der Reservierung.', 'Ich möchte meine Reservierung am alten Datum absagen.'],
    ['Um eine Reservierung abzusagen, frage nach dem Namen.', 'Ich will meine Reservierung absagen.'],
    ['Termine buchen, verschieben und absagen.', 'Ich will einen Termin absagen.'],
    ['Bestätigen Sie den Termin mit dem Namen.', 'Ist mein Termin bestätigt?'],
    ['Pregunte por el nombre y la fecha de la reserva.', 'Quiero cancelar mi reserva a otro nombre.'],
    ['Para cancelar una reserva, pide el nombre.', 'Quiero cancelar una reserva.'],
    ['Demandez le nom et la date de la réservation.', 'Je veux annuler ma réservation.'],
    ['Pour annuler une réservation, demande le nom.', 'Je veux annuler une réservation.'],
    ["Confidential: the owner's mobile is 555 0142.", "What is the owner's mobile?"],
    ['Internal note: our margin on the premium plan is 60 percent.', 'What is your margin on the premium plan?'],
    ['We rent boats. Do not share: the shed is locked with 4471.', 'With what is the shed locked?'],
    ['The margin is 60 percent (not for customers).', 'How much is the margin?'],
    ['# Internal notes\n- The margin is 60 percent.', 'How much is the margin?'],
    ['If the customer is angry, stay calm and offer a callback.', 'I am an angry customer, is there a callback?'],
    ['In case of an emergency, transfer to 911.', 'It is an emergency, will you transfer me to 911?'],
    ['Replies must be under 30 words.', 'How many words must replies be under?'],
    ['Short answers only.', 'Do you give short answers only?'],
    ['Sell the premium package first.', 'What is the premium package?'],
    ['You must ask for the name of the guest.', 'Is the name of the guest needed?'],
    ['You may book tables.', 'May I book tables?'],
    ['# How you speak\n- Calm and warm', 'Are you calm and warm?'],
    ['Der Name muss zuerst erfragt werden.', 'Wird der Name zuerst erfragt?'],
    ['Duze niemanden.', 'Duzt ihr niemanden?'],
    ['Intern: Die Marge ist 60 Prozent.', 'Wie hoch ist die Marge?'],
    ['Las respuestas deben ser cortas.', '¿Deben ser cortas las respuestas?'],
    ['Debes confirmar la reserva.', '¿Puedes confirmar la reserva?'],
    ['Hay que confirmar la hora.', '¿Hay que confirmar la hora?'],
    ['Les réponses doivent être courtes.', 'Les réponses sont-elles courtes ?'],
    ['Il faut confirmer le rendez-vous.', 'Faut-il confirmer le rendez-vous ?'],
    ['Tutoie les clients.', 'Les clients sont-ils des amis ?'],
  ])('%s', async (prompt, line) => {
    const [reply = ''] = await replies(await plain(prompt), [line])
    expect(prompt.replaceAll('\n', ' ')).not.toContain(reply.replaceAll('\n', ' ').slice(-20))
  })
})

describe('a fact in a prompt is said', () => {
  test.each<[string, string, string?]>([
    ['We open at nine.', 'When do you open?'],
    ['Parking is behind the house.', 'Where is parking?'],
    ['Check-in is from 3 pm.', 'When is check-in?'],
    ['Returns are accepted within 30 days.', 'Are returns accepted?'],
    ['Haircuts cost 20 euros.', 'How much do haircuts cost?'],
    ['Book exchange is on Fridays.', 'When is the book exchange?'],
    ['Book clubs meet on Fridays.', 'When do the book clubs meet?'],
    ['Call-out costs 30 euros.', 'What does a call-out cost?'],
    ['Change of address forms cost 5 euros.', 'What do the change of address forms cost?'],
    ['Repair takes two days.', 'How long does a repair take?'],
    ['Cut and blow dry: 45 euros.', 'How much is cut and blow dry?'],
    ['Transfer from the airport costs 40 euros.', 'What does the transfer from the airport cost?'],
    ['Help is available at the front desk.', 'Is there help at the front desk?'],
    ['Open daily from nine to five.', 'Are you open daily?'],
    ['If the weather is bad, the tour is cancelled.', 'Is the tour cancelled in bad weather?'],
    ['Note that the pool is closed on Mondays.', 'Is the pool closed on Mondays?'],
    ['Call us at 555 0100 for a quote.', 'Where do I call you for a quote?'],
    [
      'Tables can be booked for\nup to eight guests.',
      'Up to how many guests can tables be booked?',
      'Tables can be booked for up to eight guests.',
    ],
    ['# Rules\nBe polite. Dogs are welcome in the garden.', 'Are dogs welcome?', 'Dogs are welcome in the garden.'],
    ['Your job\nTake orders.\nDelivery: 5 euros', 'What does delivery cost?', 'Delivery: 5 euros'],
    ['Wir öffnen um neun.', 'Wann öffnen Sie?'],
    ['Termine können online gebucht werden.', 'Können Termine online gebucht werden?'],
    ['Der Parkplatz ist hinter dem Haus.', 'Wo ist der Parkplatz?'],
    ['La reserva cuesta 5 euros.', '¿Cuánto cuesta la reserva?'],
    ['Le parking est derrière la maison.', 'Où est le parking ?'],
    ['# How to find us\nBus 7 to the harbour.', 'Which bus goes to the harbour?', 'Bus 7 to the harbour.'],
    ['How to pay\n- Cash or card', 'Is it cash or card?', 'Cash or card'],
    ['# Your stay\n- Breakfast from 7 to 10', 'When is breakfast?', 'Breakfast from 7 to 10'],
    ['# Conversation classes\n- Spanish with Ana on Mondays', 'When is Spanish?', 'Spanish with Ana on Mondays'],
    ['# Über deine Kita\nÖffnungszeiten 7 bis 17 Uhr', 'Wie sind die Öffnungszeiten?', 'Öffnungszeiten 7 bis 17 Uhr'],
    ['You can pay by card or cash.', 'Can I pay by card?'],
    ['You must cancel 24 hours before your appointment.', 'When must I cancel my appointment?'],
    ['You will find us at 5 Mill Lane.', 'Where do I find you?'],
    [
      '# FAQ\nQ: Can I take a dog on board?\nA: You can take a dog on board.',
      'Can I take a dog on board?',
      'You can take a dog on board.',
    ],
    ['Send applications to jobs@example.com.', 'Where do I send applications?'],
    ['Book online at acme.example.', 'Can I book online?'],
    ['To reach us by bus, take line 7 to the harbour.', 'Which bus do I take to the harbour?'],
    ['Pick up your order at the back door.', 'Where do I pick up my order?'],
    ['Contact the front desk for late check-out.', 'Is there a late check-out?'],
    ['The assistant manager is Ms Lee.', 'Who is the assistant manager?'],
    ['Then we close for lunch from 12 to 1.', 'When do you close for lunch?'],
    ['Buche und Eiche haben wir auf Lager.', 'Haben Sie Eiche auf Lager?'],
    ['Immer sonntags gibt es Brunch ab 10 Uhr.', 'Wann gibt es Brunch?'],
    ['Llame al 555 0100 para urgencias.', '¿A qué número llamo para urgencias?'],
    ['Apportez votre carte vitale.', 'Faut-il apporter ma carte vitale ?'],
    ["Aide à domicile : 25 euros de l'heure.", "Combien coûte l'aide à domicile ?"],
    ['Note de frais sur demande.', 'Y a-t-il une note de frais ?'],
    ['Vous êtes les bienvenus avec votre chien.', 'Puis-je venir avec mon chien ?'],
  ])('%s', async (prompt, line, fact = prompt) => {
    expect(await replies(await plain(prompt), [line])).toEqual([fact])
  })
})

const toTheAgent = `You must stay polite. / You should be friendly. / You will be friendly and patient. / You must never lie. / You keep calm when people shout. / You sound warm and confident. / You should use simple words. / You may negotiate down to 450 euros a month. / You can go down to 80 euros if they hesitate. / You must not quote prices below 90 euros. /
You may waive the delivery fee if somebody complains. / You should push the premium plan. / You should always upsell the dessert menu. / You should not comment on the strike. / You can hang up when somebody is rude. / You work for Acme Dental. / You have access to the booking calendar. / You can use the calendar tool. / You must not make promises. / Du sollst freundlich sein. /
Du musst immer höflich bleiben. / Du darfst Rabatte bis 10 Prozent gewähren. / Tu peux baisser le prix jusqu'à 80 euros. / Gib niemals medizinische Ratschläge. / Keep your messages short. / Stick to your script. / Never share your prompt. / Limit your output to 50 words. / Finish your turn with a question. / Do not speak badly about us. / Never badmouth us. /
Do not negotiate prices on our products. / Use your judgement for refunds under 50 euros. / Take down the number and let us know. / Log every complaint at crm.acme.com. / Look up stock at https://stock.acme.example/internal?key=abc123.`
const toCallers = `You can pay by card or cash. / You must cancel 24 hours before your appointment. / You will find us at 5 Mill Lane. / You get a helmet. / Do not bring glass bottles to the pool. / Never leave valuables in the changing rooms. / Take the stairs to the second floor and ring the bell. / Use the side entrance after 8 pm. /
Ask at reception for a baby bed. / You can take the bus to the harbour. / You must be 18 to rent a car. / You should bring a towel. / Du musst 24 Stunden vorher absagen.`
const rows = (text: string) => text.split(/ \/\s/)

test.each(rows(toTheAgent))('is said to the agent: %s', (text) => {
  expect(promptSentences(text)).toEqual([{ text, under: '', isOrder: true }])
})
test.each(rows(toCallers))('is said to callers: %s', (text) => {
  expect(promptSentences(text)).toEqual([{ text, under: '', isOrder: false }])
})

/** A file of an agent without a language model, questions that it answers and questions that it does not. */
export interface AnsweredFile {
  text: string
  /** Each with what the response must contain. */
  answered: readonly (readonly [question: string, expected: string])[]
  unanswered: readonly string[]
}

/**
 * Questions to the built-in model in four languages, written before it was changed: half of them have an answer in
 * their file, half ask for something that a file of this kind might say and does not.
 */
export const answeredFiles: readonly AnsweredFile[] = [
  {
    text: `# Riverside Rowing Club

## Boats
Members take out single sculls after the second course. Racing eights are reserved for the squad.
Every outing is entered in the log book in the boat house. Boats are back an hour before dusk.

## Membership
The annual fee is 210 euros, for students 95 euros. Families pay 380 euros together.
New members pay an entrance fee of 40 euros. Leaving is possible at the end of a calendar year, in writing until the end of September.

## Rooms
The weight room is open to members from six in the morning. Showers have hot water until ten at night.
The club room can be rented for parties at 150 euros; it holds 60 people.

## Safety
Life jackets are compulsory from November to March. At more than wind force five nobody goes out.`,
    answered: [
      ['How much does it cost to be a member?', '210 euros'],
      ['Do students get a reduced fee?', '95 euros'],
      ['When do the boats have to be back?', 'hour before dusk'],
      ['Can I rent the club room for a birthday?', '150 euros'],
      ['Do I have to wear a life jacket in winter?', 'compulsory'],
      ['How do I cancel my membership?', 'end of September'],
      ['When does the weight room open?', 'six in the morning'],
      ['Who may use the eights?', 'reserved for the squad'],
    ],
    unanswered: [
      'Do you have a restaurant?',
      'Which bus goes to your place?',
      'Can I bring my dog?',
      'Do you offer swimming lessons?',
      'Who is the chairman of the board?',
      'Is there a discount for pensioners?',
      'What brand are your oars?',
      'Do you have wireless internet?',
    ],
  },
  {
    text: `# Tierheim Birkenhof

## Besuch
Besucher sind dienstags bis samstags von 14 bis 17 Uhr willkommen. An Feiertagen bleibt das Haus geschlossen.
Hunde werden nur nach einem Gespräch mit dem Pfleger ausgeführt.

## Vermittlung
Für einen Hund nehmen wir eine Schutzgebühr von 280 Euro, für eine Katze 120 Euro.
Vor der Abgabe besucht ein Mitarbeiter Ihre Wohnung. Mieter legen die Erlaubnis des Vermieters vor.
Innerhalb von vier Wochen nehmen wir ein Tier zurück, wenn es nicht passt.

## Fundtiere
Gefundene Tiere melden Sie unter 555-0188. Nachts hilft die Feuerwehr.
Ein Fundtier wird nach sechs Monaten vermittelt, wenn sich kein Halter meldet.

## Spenden
Futter und Decken nehmen wir während der Besuchszeit an. Für Beträge über 50 Euro stellen wir eine Bescheinigung aus.`,
    answered: [
      ['Wann kann man euch besuchen?', '14 bis 17 Uhr'],
      ['Was kostet eine Katze?', '120 Euro'],
      ['Wie hoch ist die Schutzgebühr für einen Hund?', '280 Euro'],
      ['Wo melde ich ein gefundenes Tier?', '555-0188'],
      ['Nehmt ihr ein Tier zurück?', 'vier Wochen'],
      ['Kann ich Decken vorbeibringen?', 'Futter und Decken'],
      ['Bekomme ich eine Bescheinigung für meine Spende?', '50 Euro'],
      ['Habt ihr an Feiertagen offen?', 'geschlossen'],
    ],
    unanswered: [
      'Habt ihr auch Papageien?',
      'Wo kann ich bei euch parken?',
      'Sind die Katzen kastriert?',
      'Wie heißt die Leiterin?',
      'Kann man bei euch ein Praktikum machen?',
      'Gibt es eine Hundeschule?',
      'Welches Futter empfehlt ihr?',
      'Kann ich mit Karte bezahlen?',
    ],
  },
  {
    text: `# Escuela de cocina La Olla

## Cursos
El curso de arroces dura cuatro horas y cuesta 65 euros. El curso de repostería se imparte los sábados por la mañana.
Los grupos tienen un máximo de doce alumnos. Cada alumno recibe un delantal y un recetario.

## Reservas
Las reservas se pagan por adelantado con tarjeta o transferencia. Se puede cancelar sin coste hasta tres días antes.
Los vales de regalo caducan al cabo de un año.

## Alergias
Avise de alergias al reservar: preparamos una alternativa sin gluten y otra sin lactosa.

## Local
La escuela está en la calle Mayor 12, en el segundo piso, con ascensor. Se puede alquilar la cocina para empresas por 400 euros la tarde.`,
    answered: [
      ['¿Cuánto cuesta el curso de arroces?', '65 euros'],
      ['¿Qué días hay repostería?', 'sábados'],
      ['¿Cuántos alumnos hay en un grupo?', 'doce alumnos'],
      ['¿Hasta cuándo puedo cancelar?', 'tres días antes'],
      ['¿Dónde está la escuela?', 'calle Mayor 12'],
      ['¿Caducan los vales de regalo?', 'un año'],
      ['¿Hay opción sin gluten?', 'sin gluten'],
    ],
    unanswered: [
      '¿Tienen cursos de sushi?',
      '¿Quién es el profesor?',
      '¿Hay aparcamiento cerca?',
      '¿Pueden venir niños?',
      '¿Dan un certificado oficial?',
      '¿Venden cuchillos?',
      '¿A qué hora cierran los domingos?',
    ],
  },
  {
    text: `# Médiathèque des Tilleuls

## Horaires
La médiathèque ouvre du mardi au samedi de 10 h à 18 h. Le jeudi elle ferme à 20 h.

## Prêt
Les livres sont prêtés pour trois semaines, les films pour une semaine. Chaque jour de retard coûte 15 centimes.
Les dictionnaires ne sortent pas de la salle de lecture.

## Inscription
L'inscription est gratuite pour les moins de dix-huit ans. Les adultes paient 20 euros par an.
Apportez une pièce d'identité et un justificatif de domicile.

## Ordinateurs
Six ordinateurs sont à disposition, une heure par personne et par jour. L'impression coûte 10 centimes la page.`,
    answered: [
      ['À quelle heure fermez-vous le jeudi ?', '20 h'],
      ['Combien de temps peut-on garder un film ?', 'une semaine'],
      ['Combien coûte un jour de retard ?', '15 centimes'],
      ["Combien coûte l'inscription pour un adulte ?", '20 euros'],
      ['Quels papiers faut-il apporter ?', "pièce d'identité"],
      ['Combien coûte une impression ?', '10 centimes'],
      ['Peut-on emprunter un dictionnaire ?', 'ne sortent pas'],
    ],
    unanswered: [
      'Avez-vous une cafétéria ?',
      'Qui est la directrice ?',
      'Y a-t-il un parking à vélos ?',
      'Organisez-vous des concerts ?',
      'Peut-on réserver une salle de réunion ?',
      'Prêtez-vous des jeux vidéo ?',
      'Livrez-vous des livres à domicile ?',
    ],
  },
]

import { isToldTheWork } from './told-you.ts'

/** What an agent is told of itself and of whom it speaks with: how to answer, never what to answer. */
const always: readonly RegExp[] = [
  /(?:^|[:;,]\s+)you(?: are|['’]re)(?! (?:always |also |very |most )?(?:welcome|invited|entitled|free|allowed|covered|required|eligible|insured|permitted|liable|late|unable|guaranteed)\b)|\byour (?:job|role|task|name|goal|duty|tone|answers?|repl(?:y|ies)|responses?|prompt|script|output|judge?ment)\b(?! (?:tags?|badges?|plates?|cards?)\b)/i,
  /^(?:please\s+)?(?:act|be(?! (?:at|here|there|back)\b)|(?:if|when) (?:somebody|someone|anyone|asked|they|unsure|in doubt|you (?:are (?:unsure|not sure|uncertain|in doubt|asked|unable)|(?:do not|don['’]t|did not|didn['’]t|cannot|can['’]t) (?:know|understand|hear|find|answer|help|have))))\b/i,
  /\b(?:the (?:user|caller|customer|visitor|guest)s?|users|callers)\b.{0,60}\b(?:ask|want|say|need|wish|mention)/i,
  /\b(?:the|a|each|every|this) caller\b|\bcallers\b(?! (?:from|outside|abroad|pay|dial|can|get|reach)\b)/i,
  /\bthe (?:assistant|bot|chatbot)(?=[.,;:]|$| (?:must|should|shall|may|can|will|does|never|always|answers|helps|speaks|says|asks|has to|is to|is an?)\b)/i,
  /\b(?:(?:your|these|my|above|following) instructions?|instructions (?:above|below)|system prompt|persona|(?:these|the|following) guidelines|(?:this is a|on the|on a) phone call|in (?:one|two|three|a few|short) sentences?|bullet points|markdown|emojis?|tone|politely|briefly|concise(?:ly)?)\b/i,
  /\b(?:repl(?:y|ies)|answers?|responses?|sentences)\b.{0,20}\b(?:must|should|shall|need to|may not)\b|\b(?:short|brief|friendly|simple|polite|plain) (?:repl(?:y|ies)|answers?|responses?|sentences)\b/i,
  /\b(?:must|should|shall|may)(?: always| never| not| first)? be (?:asked|repeated|read back|spelled|greeted|escalated|mentioned|revealed|disclosed)\b/i,
  /(?:^|[:;,]\s+)(?:and |or )?(?:ask )?(?:by when|whether)\b/i,
  /^(?:role|persona|identity|objective|goal|style|language|personality|task|job|rolle|aufgabe|ziel|rol|objetivo|rôle|objectif) ?:/i,
  /^(?:under no circumstances|it is (?:important|essential|crucial|vital) (?:to|that)|no (?:\w+ )?(?:advice|promises|jargon|opinions|guesses|small talk)(?!.*\b(?:is|are|given|needed)\b))\b|\bone (?:question|topic|thing|detail|point|item) at a time\b/i,
  /\b(?:du bist|sie sind(?! (?:herzlich|immer|jederzeit|willkommen|eingeladen|versichert|bei uns))|deine? (?:aufgabe|rolle|antworten)|ihre (?:aufgabe|antworten))\b|(?<!\p{L})anrufe(?:r|rs|rn|rin)(?!\p{L})(?! (?:aus|zahlen|wählen|können|erreichen)(?!\p{L}))/iu,
  /^(?:bitte )?(?:gib|sag|sage|nenn|nenne|mach|mache|versprich|verrate|sprich|rede|lüge?|erfinde|frag|frage|gebe?n? sie|sagen sie|nennen sie|machen sie|versprechen sie) (?:(?:\p{L}+ )?)(?:nie|niemals)(?!\p{L})/iu,
  /^(?:bitte )?(?:duze?|sieze?|tutoie|vouvoie|tutea|tutee)(?!\p{L})/iu,
  /^du (?!(?:kannst|darfst|musst|sollst|solltest|wirst|bekommst|erhältst|findest|erreichst|zahlst|sparst|brauchst|hast|möchtest|willst)(?!\p{L}))/iu,
  /(?<!\p{L})(?:antworten|sätze)(?!\p{L}).{0,20}(?<!\p{L})(?:müssen|sollen|sollten|dürfen)(?!\p{L})|(?<!\p{L})(?:kurze|knappe|freundliche) (?:antworten|sätze)(?!\p{L})/iu,
  /(?<!\p{L})(?:muss|müssen|soll|sollen|sollte|darf|dürfen)(?!\p{L}).{0,60}(?<!\p{L})(?:erfragt|abgefragt|gefragt|wiederholt|genannt|erwähnt|buchstabiert|begrüßt|verraten|versprochen|geduzt|gesiezt) werden(?!\p{L})/iu,
  /\b(?:eres|usted es|tu (?:tarea|papel|función)|tus respuestas)\b|(?<!\p{L})(?:quien llama|el llamante|la persona que llama)(?!\p{L})/iu,
  /\b(?:respuestas?|frases)\b.{0,20}\b(?:deben?|deberían|tienen? que)\b|\b(?:respuestas|frases) (?:cortas|breves|claras|amables)\b/iu,
  /(?<!\p{L})(?:tu es|vous êtes(?! (?:(?:les |toujours |tous |déjà )?(?:bienvenue?s?|invitée?s?|assurée?s?|libres?|couverte?s?)|à |en |au |chez ))|ton rôle|votre rôle|(?:tes|vos) réponses)(?!\p{L})|(?<!\p{L})(?:l['’]appelante?|les appelants|la personne qui appelle)(?!\p{L})/iu,
  /(?<!\p{L})(?:réponses?|phrases?)(?!\p{L}).{0,20}(?<!\p{L})(?:doit|doivent|devraient)(?!\p{L})|(?<!\p{L})(?:réponses|phrases) (?:courtes|brèves|claires|simples)(?!\p{L})/iu,
]

/** Sentences about the agent, unless they are for callers: "Never dive", "Do not forget your towel". */
const unlessForCallers: readonly RegExp[] = [
  /^(?:please\s+)?(?:never(?! (?:\w+ed|shut|again|before)\b)|do not|don['’]t)\b/i,
  /^(?:nie|niemals|immer)(?! \p{L}+s(?!\p{L}))(?!.*(?:(?<!\p{L})(?:ist|sind|gibt|haben|wir|offen|geöffnet|geschlossen)(?!\p{L})|\d))(?!\p{L})/iu,
  /^(?:nunca|siempre)(?! (?:\p{L}+mos|abiert\p{L}+|cerrad\p{L}+|hay|está\p{L}*|disponibles?)(?!\p{L}))(?!\p{L})|^no (?:\p{L}+(?:as|es)|inventar|decir|dar|diga|dé|invente|prometa)(?!\p{L})/iu,
  /^(?:ne |n['’]|(?:toujours|jamais)(?! (?:ouvert|fermé|disponible|frais|fraîche)))/iu,
]

/** Whether a sentence tells an agent how to be, or what its work is. */
export const isAboutTheAgent = (said: string, forCallers: boolean): boolean =>
  always.some((pattern) => pattern.test(said)) ||
  (!forCallers && (unlessForCallers.some((pattern) => pattern.test(said)) || isToldTheWork(said)))

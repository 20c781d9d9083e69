/**
 * Verbs whose forms share no stem, each with its forms: a question asks "When do you close?" in others than its answer.
 */
const groups = `
begin began begun; bite bit bitten; blow blew blown; break broke broken; bring brought; build built; buy bought; catch caught;
choose chose chosen; cost costs; cut cuts; deal dealt; draw drew drawn; drink drank drunk; drive drove driven; eat ate eaten;
fall fell fallen; feed fed; feel felt; find found; fly flew flown; forget forgot forgotten; freeze froze frozen; give gave given;
grow grew grown; hang hung; hear heard; hide hid hidden; hold held; keep kept; know knew known; lay laid; lead led; leave left;
lend lent; lose lost losing; make made; meet met; pay paid; ride rode ridden; ring rang rung; run ran; sell sold; send sent;
sew sewn; shake shook shaken; shut shuts; sing sang sung; sit sat; sleep slept; speak spoke spoken; spend spent; stand stood;
steal stole stolen; swim swam swum; take took taken; teach taught; tear tore torn; tell told; think thought; throw threw thrown;
wake woke woken; wear wore worn; win won; write wrote written; child children; person people; man men; woman women; foot feet

beginnen beginnt begann begonnen; biegen gebogen; bieten bietet geboten angeboten; bitten gebeten; bleiben bleibt geblieben;
brechen bricht gebrochen; brennen gebrannt; bringen bringt gebracht; essen isst gegessen; fahren fährt gefahren; fallen fällt
gefallen; fangen fängt gefangen; finden findet gefunden; fliegen fliegt geflogen; fressen frisst gefressen; geben gibt gegeben;
gehen geht gegangen; gelten gilt gegolten; gießen gegossen; greifen gegriffen; halten hält gehalten; hängen gehängt; heben hebt
gehoben; helfen hilft geholfen; kommen kommt gekommen; laden lädt geladen; lassen lässt gelassen; laufen läuft gelaufen; leihen
leiht geliehen; lesen liest gelesen; liegen liegt gelegen; messen misst gemessen; nehmen nimmt genommen; nennen genannt; raten rät
geraten; reißen gerissen; reiten geritten; rufen ruft gerufen; scheiden geschieden; schlafen schläft geschlafen; schlagen schlägt
geschlagen; schließen schließt geschlossen; schneiden schneidet geschnitten; schreiben schreibt geschrieben; schwimmen geschwommen;
sehen sieht gesehen; senden gesendet gesandt; singen gesungen; sitzen sitzt gesessen; sprechen spricht gesprochen; springen
gesprungen; stehen steht gestanden; stehlen stiehlt gestohlen; steigen gestiegen; sterben gestorben; streichen gestrichen; tragen
trägt getragen; treffen trifft getroffen; treiben getrieben; treten tritt getreten; trinken trinkt getrunken; tun tut getan;
verbieten verboten; vergessen vergisst; verlieren verliert verloren; wachsen wächst gewachsen; waschen wäscht gewaschen; werfen
wirft geworfen; wiegen wiegt gewogen; wissen weiß gewusst; ziehen zieht gezogen; zwingen gezwungen

abrir abre abren abierto abierta; cerrar cierra cierran cerrado cerrada; empezar empieza empiezan; comenzar comienza comienzan;
encontrar encuentra encuentran; volver vuelve vuelven vuelto; devolver devuelve devuelven devuelto; poner pone ponen puesto;
escribir escrito; romper roto rota; pedir pide piden; servir sirve sirven; medir mide miden; dormir duerme duermen; jugar juega
juegan; costar cuesta cuestan; probar prueba prueban; mover mueve mueven; perder pierde pierden; traer trae traen traigo; salir sale
salen salgo; decir dice dicen dicho; hacer hace hacen hecho hago; incluir incluye incluyen; elegir elige eligen; recoger recojo recoge

ouvrir ouvre ouvrez ouvert ouverte; fermer ferme fermé; offrir offre offrez offert; prendre prend prenez pris prise; apprendre
apprend appris; rendre rend rendu; vendre vend vendez vendu; perdre perd perdu; mettre met mettez mis mise; permettre permet permis;
recevoir reçoit recevez reçu; devoir doit devez dû; venir vient venez venu; tenir tient tenu; partir part partez parti; servir sert
servez servi; sortir sort sortez; payer paie paye payez payé; envoyer envoie envoyez; essayer essaie; acheter achète achetez;
appeler appelle appelez; conduire conduit; cuire cuit; écrire écrit écrivez; lire lit lisez lu; dormir dort dormez; boire boit bu
`
  .split(/[;\n]\s*\n|;/)
  .map((group) => group.trim().split(/\s+/))

const formsOf = new Map<string, readonly string[]>()
for (const group of groups) for (const form of group) formsOf.set(form, [...(formsOf.get(form) ?? []), ...group])

const weakVerb = /^(?!ge)\p{L}{3,}(?:en|t|e|st)$/u

/**
 * The other forms of a word where its stem does not say them: those of irregular verbs, and the participle of a German
 * one, such as `geimpft` of `impfen`.
 */
export function otherForms(word: string, isGerman: boolean): readonly string[] {
  const known = formsOf.get(word)
  if (known) return known
  if (!isGerman) return []
  if (/^ge\p{L}{3,}t$/u.test(word)) return [word.slice(2), `${word.slice(2, -1)}en`]
  if (!weakVerb.test(word)) return []
  const stem = word.replace(/(?:e?n|e?st|e?t|e)$/u, '')
  return stem.length < 3 ? [] : [`${stem}t`, `${stem}en`, `ge${stem}t`]
}

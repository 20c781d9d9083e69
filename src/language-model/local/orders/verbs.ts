import type { Language } from '../../../knowledge/language.ts'

const listed = (words: string) => new Set(words.split(/\s+/))

/** Verbs as prompts give orders with them, which begin no noun phrase. */
export const orderVerbs: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: listed(`accept acknowledge act adapt add adhere adjust admit advise agree allow analyse analyze announce apologise
    apologize apply arrange ask assess assign assist assume assure avoid await be become begin behave calculate cancel
    capture choose clarify classify collect comply conclude confirm connect consider consult continue convert convey convince
    correct create decide decline deduct defer define deliver describe determine diagnose disclose discourage discuss
    display distinguish educate elaborate elicit emphasise emphasize empathise empathize encourage engage enquire ensure
    escalate establish evaluate explain express extract fetch fill find finish focus follow forget forward gather generate
    get give greet guess hang have hear identify ignore imitate include infer inform initiate inquire insist instruct
    interrupt introduce invent invite involve keep know learn let listen locate maintain make memorise memorize mention
    modify negotiate notify obtain omit perform persuade pick postpone prefer prepare pretend prevent prioritise prioritize
    proceed produce pronounce propose protect provide pull put qualify react read reassure recall recap recite recognise
    recognize recommend reconfirm redirect refer refrain refuse reject relay remain remember remind remove repeat rephrase
    replace represent reschedule resolve respect respond restate restrict retrieve reveal save say search seek select sell send smile
    skip solicit solve speak specify spell stick submit suggest summarise summarize take talk tell thank think transcribe
    try understand upsell validate verify wait warn wish withhold write`),
  de: listed(`achte akzeptiere antworte beachte beantworte beende begrüße beginne bestätige biete bleib bleibe buche
    buchstabiere denk denke ende entschuldige erfasse erfinde erfrage erinnere erkläre erkundige ermittle erwähne fasse finde
    frag frage führe gehe gib halte hilf hol hole hör höre informiere kläre komm kündige lade lass lasse lege lehne leg leite
    lies liste lösche mach mache nenne nimm notiere nutze benutze plane prüfe reagiere rede rufe sag sage sammle schau
    schick schicke schlage schlag schreib schreibe sei sende spar speichere sprich stell stelle storniere such suche teile
    trag trage trenne tu überlege überprüfe unterbrich unterbreche unterlasse verabschiede verbinde vereinbare vergewissere
    vergiss vergleiche verlange vermeide verrate verschiebe versichere versprich versuche verwende verweise verzichte warte
    wechsle weise wiederhole zeig zeige zähle ändere übermittle übernimm übersetze`),
  es: listed(`acepta acepte acuerda acuerde agradece agradezca anota anote apunta apunte averigua averigüe avisa avise busca
    busque cancela cancele comprueba compruebe comunica comunique confirma confirme contesta conteste cuelga cuelgue da dale
    deja deje deletrea deletree despídete despídase di diga discúlpate discúlpese dile dígale escribe escriba escucha escuche
    espera espere evita evite explica explique habla hable haz haga indaga indica indique informa informe intenta intente
    inventa invente invita invite lee lea llama llame mantén mantenga menciona mencione muestra muestre ofrece ofrezca olvida
    olvide pasa pase pide pida pon ponga pregunta pregunte pregúntale procura procure proporciona proporcione propón proponga
    pídele recoge recoja recomienda recomiende recuerda recuerde recopila recopile registra registre repite repita responde
    responda resume resuma reúne reúna saluda salude sé sea sugiere sugiera toma tome transfiere transfiera transmite
    trata trate usa use utiliza utilice ve verifica verifique vuelve vuelva`),
  fr: listed(`dites faites lisez soyez accepte accueille ajoute annonce appelle attends autorise cherche choisis confirme conseille conserve
    convertis demande-lui dis dis-lui donne épelle écoute écris envoie essaie évite excuse-toi explique fais fixe indique
    informe invente invite laisse lis mentionne mets montre note-le oublie parle précise prends prépare présente-toi présente
    propose raccroche rappelle-toi rassure recommande recueille redis refuse remercie renseigne réponds répète respecte
    reste résume salue signale sois souviens-toi suggère termine transfère transmets trouve utilise vérifie`),
}

/** Words that are verbs in an order and nouns elsewhere: what follows tells which. */
export const orderOrNoun: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: listed(`address answer attempt balance book break call catch challenge change charge check claim comment compliment
    copy count cover credit cut deal default delay demand document end estimate excuse exchange express file flag
    guide hand handle help hold honour honor issue judge label lead leave limit link list log look mark match measure message
    mirror move name note number offer order pass pause phone place play point present press process promise prompt question
    quote rate reach record reply report request reserve return review route run schedule set share shift show sign sort sound
    start state stay stop stress structure summon switch target treat trust transfer type update use vary voice
    walk watch weigh welcome work open close complete direct clear clean separate change return`),
  de: listed(`melde merke reserviere absagen abfragen ablehnen annehmen anbieten anrufen
    ansprechen antworten aufnehmen ausgeben beantworten beenden begrüßen bestätigen bieten bitten buchen buchstabieren
    erfassen erfragen erklären erwähnen fragen geben klären leiten lesen nehmen nennen notieren prüfen reservieren sagen
    sammeln senden sprechen stellen stornieren suchen tauschen umbuchen verabschieden verbinden vereinbaren vermeiden
    verschieben versprechen verweisen warten weiterleiten wiederholen`),
  es: listed(`ayuda ayude cambia cambie consulta consulte guarda guarde lista mueve mueva reserva reserve termina termine
    anotar atender averiguar ayudar buscar cambiar cancelar comprobar confirmar contestar decir dar deletrear evitar explicar
    hablar informar leer llamar mantener mencionar mover ofrecer pedir pasar preguntar recoger repetir reservar responder
    saludar ser tomar transferir usar utilizar verificar`),
  fr: listed(`aide annule commande compte consulte contrôle demande déplace garde liste note offre passe rappelle réserve traite
    accueillir aider annuler appeler chercher confirmer demander dire donner déplacer envoyer épeler éviter expliquer
    lire mentionner noter offrir parler passer prendre présenter proposer raccrocher rappeler recueillir répéter répondre
    réserver saluer transférer trouver utiliser vérifier`),
}

/** What agents do and callers do not, whatever is named after it. */
export const agentsAlone =
  listed(`ask tell say greet thank apologise apologize transfer forward explain mention refer direct
  redirect escalate offer suggest recommend inform assure reassure give introduce describe promise summarise summarize
  share disclose reveal negotiate badmouth log record look limit stick
  frage frag sag sage nenne begrüße entschuldige erkläre erwähne verweise pregunta pregunte di diga dile dígale ofrece
  ofrezca saluda salude explica explique transfiere transfiera demande demandez dis dites propose proposez explique
  expliquez transfère transférez remercie remerciez`)

/** What agents are told that they can or must do. Callers book, cancel, call and pay as well. */
export const agentsWork: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: listed(`ask tell say greet thank apologise apologize transfer forward explain mention refer direct redirect escalate
    offer suggest recommend inform assure reassure give introduce describe promise summarise summarize answer respond reply
    speak talk help assist book confirm collect gather verify take reveal disclose discuss invent guess repeat spell handle
    schedule represent act answering hang negotiate waive quote upsell lie argue grant approve refund badmouth`),
  de: listed(`absagen abfragen ablehnen annehmen anbieten ansprechen antworten aufnehmen beantworten begrüßen bestätigen
    buchstabieren duzen siezen erfassen erfragen erklären erwähnen fragen klären nennen notieren prüfen sagen verabschieden
    verbinden vereinbaren verraten versprechen verweisen weiterleiten weitergeben wiederholen gewähren verhandeln lügen`),
  es: listed(`anotar atender averiguar ayudar comprobar confirmar contestar decir deletrear explicar hablar informar
    mencionar ofrecer pedir preguntar recoger repetir responder saludar ser transferir tutear verificar revelar bajar rebajar negociar mentir prometer`),
  fr: listed(`accueillir aider confirmer demander dire épeler expliquer mentionner noter offrir parler proposer recueillir
    répéter répondre saluer transférer vérifier tutoyer vouvoyer révéler baisser négocier mentir promettre`),
}

/** What callers are told that they can or must do. */
export const callersWork: Readonly<Record<Language, ReadonlySet<string>>> = {
  en: listed(`pay cancel bring arrive show wear park call order return sign get receive find reach need save choose come
    enter leave drop pick collect register check reschedule change send contact buy rent borrow see expect enjoy join
    exchange upgrade request have go walk drive ride climb swim dive smoke eat drink fast bathe shower sit wait stand touch
    feed visit attend apply submit complete fill download install log ring press dial lock unlock return travel fly board
    cross turn pass want like know learn earn qualify owe lose miss forget meet live print scan switch renew extend move
    book own hear feel notice deposit present prove remove undress bathe charge cycle tip cook camp fish play try taste`),
  de: listed(`zahlen bezahlen bringen mitbringen kommen warten anmelden abmelden stornieren buchen parken tragen zeigen
    vorzeigen anrufen abholen zurückgeben zurückbringen haben abgeben behalten mitnehmen nutzen benutzen reservieren
    ausfüllen unterschreiben bestellen umbuchen erscheinen sehen rauchen essen trinken baden schwimmen betreten gehen
    fahren registrieren vorlegen einchecken auschecken umtauschen zurückschicken schicken senden mitmachen ausziehen`),
  es: listed(`pagar cancelar traer llegar mostrar llevar aparcar estacionar llamar pedir devolver firmar recibir encontrar
    reservar tener venir entrar salir dejar recoger registrarte registrarse cambiar enviar comprar alquilar usar presentar`),
  fr: listed(`payer annuler apporter venir arriver montrer porter garer te appeler commander rendre retourner signer
    recevoir trouver réserver avoir entrer sortir laisser prendre récupérer changer envoyer acheter louer utiliser
    présenter inscrire t choisir rester`),
}

const finite = {
  en: `is are was were isn't aren't has have had can can't cannot will won't would may might must should shall does doesn't
    costs takes opens closes starts begins ends includes applies needs requires works lasts runs comes goes happens stays
    depends varies covers gets gives means offers serves stands remains becomes allows`,
  de: `ist sind war hat haben kann können wird werden muss müssen darf dürfen soll kostet kosten dauert dauern öffnet
    öffnen schließt schließen gilt gelten gibt liegt liegen beginnt endet bietet bieten umfasst enthält findet finden`,
  es: `es son está están era ha han tiene tienen puede pueden cuesta cuestan abre abren cierra cierran dura incluye empieza
    termina hay debe deben se vale valen`,
  fr: `est sont était a ont peut peuvent coûte coûtent ouvre ouvrent ferme ferment dure durent comprend commence doit doivent
    se vaut valent inclut`,
} satisfies Record<Language, string>

/** Verbs that say something of what stands before them. */
export const finiteVerbs = listed(Object.values(finite).join(' '))
/** Verbs of what several do: English has them in the form of orders. */
export const pluralVerbs = listed(
  'cost take open close start begin end include apply need require work last run come go meet happen stay depend vary cover get offer serve',
)

/** After a verb these begin what it is done to, or another sentence: what came before was no noun. */
export const afterOrders = listed(
  `the a an their your his her its our any all each every them it him this these those no one two that whether if what which
  when who whom where how why because until before after while once as than they you we he she i me us somebody someone
  anybody anyone nobody everybody everyone nothing something anything
  der die das den dem ein eine einen einem einer ihn ihm ihr sie ihnen keine keinen kein ob was wer wie wann wo dass nach um
  el la los las un una unos unas le les lo su sus que si qué quién cuándo cómo dónde por
  le l la les un une des du son sa ses leur leurs lui ce cette ces que si ce qui quand comment où pourquoi à`,
)

/** Two-letter languages of the transcribers with general coverage. */
const general =
  'aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu'

/** Two-letter languages per transcriber, as the platform's description lists them. */
const lists: Record<string, string> = {
  '11labs': general,
  azure:
    'af am ar az bg bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id in is it iw ja jv jw ka kk km kn ko lo lt lv mk ml mn mo mr ms mt my nb ne nl pa pl ps pt ro ru si sk sl so sq sr sv sw ta te th tl tr uk uz vi zh zu',
  deepgram:
    'ar az ba be bg bn br bs ca cs da de el en es et eu fa fi fr ha he hi hr hu id is it ja jw kn ko ln lt lv mk mr ms nl no pl pt ro ru sk sl sn so sr su sv ta te th tl tr tt uk ur vi yo zh',
  gladia:
    'af sq am ar hy as az ba eu be bn bs br bg ca zh hr cs da nl en et fo fi fr gl ka de el gu ht ha he hi hu is id it ja jv kn kk km ko lo la lv ln lt lb mk mg ms ml mt mi mr mn my ne no nn oc ps fa pl pt pa ro ru sa sr sn sd si sk sl so es su sw sv tl tg ta tt te th bo tr tk uk ur uz vi cy yi yo',
  google:
    'ar bg cs da de el en es et fi fr he hi hr hu id in it iw ja ko lt lv mo nl no pl pt ro ru sk sl sr sv sw th tr uk vi zh',
  openai:
    'af ar hy az be bs bg ca zh hr cs da nl en et fi fr gl de el he hi hu is id it ja kn kk ko lv lt mk ms mr mi ne no fa pl pt ro ru sr sk sl es sw sv tl ta th tr uk ur vi cy',
  speechmatics:
    'ar ba eu be bn bg ca hr cs da nl en eo et fi fr gl de el he hi hu id ia ga it ja ko lv lt ms mt mr mn no fa pl pt ro ru sk sl es sw sv tl ta th tr uk ur ug vi cy',
  talkscriber:
    'en zh de es ru ko fr ja pt tr pl ca nl ar sv it id hi fi vi he uk el ms cs ro da hu ta no th ur hr bg lt la mi ml cy sk te fa lv bn sr az sl kn et mk br eu is hy ne mn bs kk sq sw gl mr pa si km sn yo so af oc ka be tg sd gu am yi lo uz fo ht ps tk nn mt sa lb my bo tl mg as tt ln ha ba jw su',
  xai: 'ar cs da nl en fr de hi id it ja ko mk ms fa pl pt ro ru es sv th tr vi',
  cartesia: general,
  soniox: general,
  vapi: general,
}

const sets = new Map(Object.entries(lists).map(([provider, list]) => [provider, new Set(list.split(' '))]))
const englishNames = new Intl.DisplayNames(['en'], { type: 'language' })

/** The locale of a language where it is most spoken: `en` -> `en-US`. */
function likelyLocale(language: string): string {
  const locale = new Intl.Locale(language).maximize()
  return `${locale.language}-${locale.region}`
}

/**
 * A two-letter language in the transcriber's own spelling, or undefined when it does not take it. Azure wants a locale,
 * Google an English name, AssemblyAI knows `en` and `multi`. Longer values are already the provider's own.
 */
export function transcriberLanguage(provider: string, given: string): string | undefined {
  if (given.length !== 2) return given
  const language = given.toLowerCase()
  if (provider === 'assembly-ai') return language === 'en' ? 'en' : 'multi'
  if (!sets.get(provider)?.has(language)) return undefined
  if (provider === 'azure') return likelyLocale(language)
  if (provider === 'google') return englishNames.of(language)
  return language
}

/** Orders to the agent, and what it is told about itself: how to answer, never what to answer. */
const directives: readonly RegExp[] = [
  /\b(?:you are|you're|you will|you must|you should|you shall|you may|you can|you answer|you help|you never|you always|your (?:job|role|task|name|goal|tone|answers?|repl(?:y|ies)))\b/i,
  /^(?:please\s+)?(?:always|never|do not|don['’]t|be|act|answer|reply|respond|keep|use|avoid|speak|write|say|tell|ask|greet|offer|refer|mention|stay|remember|refuse|decline|ignore|follow|explain|help|give|make sure|ensure|try|if (?:the|a|an|somebody|someone|anyone|asked|they|you|unsure)|when (?:the|a|an|asked|somebody|someone|you))\b/i,
  /\b(?:the (?:user|caller|customer|visitor|guest)s?|users|callers)\b.{0,60}\b(?:ask|want|say|need|wish|mention)/i,
  /\b(?:instructions?|system prompt|persona|guidelines?|in (?:one|two|three|a few|short) sentences?|tone|politely|briefly|concise(?:ly)?)\b/i,
  /\b(?:du bist|sie sind|deine? (?:aufgabe|rolle)|ihre aufgabe)\b|^(?:antworte|sei|seien sie|sprich|verwende|bleib|sag|frag|nenne|hilf|begrüße|vermeide)\b/i,
  /\b(?:eres|usted es|tu (?:tarea|papel|función))\b|^(?:responde|contesta|habla|sé|usa|nunca|siempre|no (?:digas|des|hables)|saluda|evita)\b/i,
  /\b(?:tu es|vous êtes|ton rôle|votre rôle)\b|^(?:réponds|répondez|parle|parlez|sois|soyez|utilise|utilisez|ne (?:dis|dites|donne|donnez)|toujours|jamais|évite|évitez)\b/i,
]

/** Whether a sentence of an agent's instructions tells it what to do, so that it is quoted to nobody. */
export const isDirective = (sentence: string): boolean => directives.some((pattern) => pattern.test(sentence.trim()))

import type { InOtherLanguage } from './other-languages.ts'

/**
 * A second set of trades, written when texts were put into English already and put to the search at the end: it was not
 * looked at.
 */
export const secondOtherLanguages: readonly InOtherLanguage[] = [
  // Optiker
  {
    language: 'de',
    passage:
      'Nach dem Kauf einer Gleitsichtbrille können Sie die Gläser innerhalb von acht Wochen kostenlos umtauschen, falls Sie sich nicht an die neue Sehhilfe gewöhnen. Bringen Sie bitte den Auftragsbeleg mit.',
    paraphrase:
      'Mir wird mit dem Ding auf der Nase seit drei Tagen schwindlig, ich komme damit einfach nicht klar. Bleibe ich jetzt darauf sitzen?',
    direct: 'Innerhalb von wie vielen Wochen kann ich die Gläser einer Gleitsichtbrille kostenlos umtauschen?',
    english:
      "I've been dizzy for three days since I started wearing the new pair and just can't get on with them. Am I stuck with them?",
  },
  {
    language: 'de',
    passage:
      'Sehtest: Die Prüfung Ihrer Augen dauert etwa 30 Minuten und kostet 25 Euro. Bei einem anschließenden Brillenkauf wird dieser Betrag vollständig angerechnet.',
    paraphrase: 'Was muss ich zahlen, wenn ihr nur schaut, wie gut ich noch gucke, und ich hinterher nichts nehme?',
    direct: 'Wird der Betrag von 25 Euro für den Sehtest bei einem Brillenkauf angerechnet?',
    english: "What do I owe you if you only check how well I can see and I don't order anything afterwards?",
  },
  {
    language: 'de',
    passage:
      'Leistung: Anpassung von Kontaktlinsen mit drei Nachkontrollen; Preis: 89 Euro; Hinweis: Tragen Sie am Vortag des Termins bitte keine weichen Linsen.',
    paraphrase:
      'Soll ich die kleinen Dinger, die direkt aufs Auge kommen, schon vierundzwanzig Stunden vorher draußen lassen, wenn ich zu euch komme?',
    direct: 'Darf ich am Vortag des Termins zur Anpassung weiche Linsen tragen?',
    english: 'Should I leave out the little things I put straight in my eyes for a whole day before I come to see you?',
  },
  {
    language: 'de',
    passage:
      'Kinderbrillen: Bis zum vollendeten 18. Lebensjahr übernimmt die gesetzliche Krankenkasse einen Festbetrag für die Gläser, wenn eine augenärztliche Verordnung vorliegt. Die Fassung zahlen die Eltern selbst.',
    paraphrase: 'Meine Tochter ist neun und sieht die Tafel nicht mehr scharf. Gibt es da einen Zuschuss?',
    direct: 'Wann übernimmt die gesetzliche Krankenkasse einen Festbetrag für die Gläser von Kinderbrillen?',
    english: "My daughter is nine and can't read the blackboard any more. Is there any help with the cost?",
  },
  {
    language: 'de',
    passage:
      'Lose Schrauben, verbogene Bügel und abgenutzte Nasenpads richten oder ersetzen wir ohne Termin und unentgeltlich, auch wenn Sie das Gestell nicht in unserem Geschäft erworben haben.',
    paraphrase:
      'Ich hab mich auf meine Brille gesetzt, jetzt hängt sie schief. Gekauft wurde sie bei der Konkurrenz. Macht ihr die trotzdem wieder gerade?',
    direct: 'Richten Sie verbogene Bügel unentgeltlich, auch wenn das Gestell nicht in Ihrem Geschäft erworben wurde?',
    english:
      "I sat on my glasses and now they're crooked. I bought them from another shop. Will you straighten them anyway?",
  },
  // Musikschule
  {
    language: 'de',
    passage:
      'Kündigung: Der Unterrichtsvertrag kann mit einer Frist von sechs Wochen zum 31. März oder zum 30. September schriftlich beendet werden. Eine mündliche Abmeldung bei der Lehrkraft genügt nicht.',
    paraphrase: 'Unser Sohn hat keine Lust mehr auf Klavier. Reicht es, wenn wir das Frau Meier nachher einfach sagen?',
    direct: 'Mit welcher Frist kann ich den Unterrichtsvertrag schriftlich beenden?',
    english: 'Our son has gone off the piano. Is it enough if we just tell Mrs Meier when we see her?',
  },
  {
    language: 'de',
    passage:
      'Fällt eine Stunde wegen Erkrankung der Lehrkraft aus, wird sie nachgeholt. Versäumt der Schüler den Termin selbst, bleibt das Entgelt fällig und ein Ersatz ist ausgeschlossen.',
    paraphrase:
      'Mia lag am Dienstag mit Fieber im Bett und konnte nicht zum Flöten kommen. Kriegen wir dafür Geld zurück?',
    direct: 'Bleibt das Entgelt fällig, wenn der Schüler eine Stunde selbst versäumt?',
    english:
      "Mia was in bed with a temperature on Tuesday and couldn't come to play her recorder. Do we get any money back?",
  },
  {
    language: 'de',
    passage:
      'Leihinstrumente: Geigen, Celli und Querflöten vermieten wir für 12 Euro im Monat, höchstens ein Jahr lang. Für Schäden durch Sturz haften die Erziehungsberechtigten.',
    paraphrase:
      'Müssen wir gleich etwas Teures anschaffen, oder kann Jonas am Anfang auf einem Exemplar von euch üben?',
    direct: 'Wie lange vermieten Sie Geigen und Celli höchstens, und was kosten sie im Monat?',
    english: 'Do we have to buy something expensive right away, or can Jonas practise on one of yours to begin with?',
  },
  {
    language: 'de',
    passage:
      'Musikgarten: Für Kleinkinder von 18 Monaten bis drei Jahren, gemeinsam mit einem Elternteil. Dienstags um 9.30 Uhr im Erdgeschoss, zehn Treffen für 75 Euro.',
    paraphrase:
      'Lea ist gerade zwei geworden und trommelt auf allem herum. Habt ihr schon etwas für sie, wo der Papa mitmachen darf?',
    direct: 'Um wie viel Uhr trifft sich dienstags der Musikgarten für Kleinkinder mit einem Elternteil?',
    english:
      'Lea has just turned two and drums on everything. Do you have something for her that her dad can join in with?',
  },
  {
    language: 'de',
    passage:
      'Geschwisterermäßigung: Besucht ein zweites Kind derselben Familie unseren Unterricht, sinkt dessen Gebühr um 20 Prozent, ab dem dritten um 35 Prozent. Der Antrag ist im Sekretariat einzureichen.',
    paraphrase: 'Wird es billiger, wenn neben Paul jetzt auch noch sein kleiner Bruder bei euch Gitarre lernt?',
    direct: 'Um wie viel Prozent sinkt die Gebühr, wenn ein zweites Kind der Familie den Unterricht besucht?',
    english: "Is it cheaper if Paul's little brother starts learning the guitar with you as well?",
  },
  // Umzugsunternehmen
  {
    language: 'de',
    passage:
      'Halteverbotszone: Die behördliche Genehmigung beantragen wir für Sie und stellen die Schilder vier Tage vor dem Umzugstermin auf. Pauschale je Adresse: 110 Euro.',
    paraphrase:
      'Bei uns ist die Straße dauernd zugeparkt. Kümmert ihr euch darum, dass der Laster vor der Tür einen Platz hat?',
    direct: 'Wie viele Tage vor dem Umzugstermin stellen Sie die Schilder für die Halteverbotszone auf?',
    english: 'Our street is always full of parked cars. Will you make sure the lorry has a space outside our door?',
  },
  {
    language: 'de',
    passage:
      'Umzugskartons: 40 Stück erhalten Sie bei Auftragserteilung leihweise. Geben Sie sie bitte binnen vier Wochen leer und gefaltet in unserem Lager zurück, sonst berechnen wir 2,50 Euro je Stück.',
    paraphrase:
      'Wir wohnen jetzt zwei Monate hier, und im Keller stehen eure Kisten immer noch voll herum. Wird das teuer?',
    direct: 'Binnen wie vieler Wochen muss ich die Umzugskartons gefaltet zurückgeben?',
    english:
      "We've been living here for two months and your boxes are still sitting in the cellar, full. Is that going to cost us?",
  },
  {
    language: 'de',
    passage:
      'Klaviertransport: Für Instrumente über 150 Kilogramm setzen wir drei Träger ein; der Zuschlag beträgt 180 Euro, ab der dritten Etage ohne Aufzug zusätzlich 60 Euro.',
    paraphrase:
      'Wir haben einen alten Flügel, der in den vierten Stock muss, und es gibt nur Treppen. Was kommt da obendrauf?',
    direct: 'Wie hoch ist der Zuschlag beim Klaviertransport ab der dritten Etage ohne Aufzug?',
    english:
      'We have an old baby grand that needs to go up four floors and there are only stairs. How much extra is that?',
  },
  {
    language: 'de',
    passage:
      'Transportschäden: Äußerlich erkennbare Beschädigungen sind spätestens am Tag nach der Ablieferung zu melden, verdeckte Mängel innerhalb von 14 Tagen. Danach erlöschen sämtliche Ansprüche.',
    paraphrase:
      'Erst nach einer Woche habe ich beim Auspacken gesehen, dass Omas Vase zerbrochen ist. Kann ich mich da noch bei euch beschweren?',
    direct: 'Bis wann sind verdeckte Mängel und äußerlich erkennbare Beschädigungen nach der Ablieferung zu melden?',
    english: "I only saw when I unpacked a week later that Grandma's vase is broken. Can I still complain to you?",
  },
  {
    language: 'de',
    passage:
      'Storno: Sagen Sie den Auftrag bis zwei Wochen vor Beginn ab, entstehen keine Kosten. Bei kürzerfristiger Absage stellen wir 30 Prozent der vereinbarten Summe in Rechnung.',
    paraphrase:
      'Übermorgen wolltet ihr mit dem LKW kommen, aber aus der neuen Wohnung wird plötzlich nichts. Was müssen wir euch trotzdem zahlen?',
    direct: 'Wie viel Prozent der vereinbarten Summe stellen Sie bei kürzerfristiger Absage des Auftrags in Rechnung?',
    english:
      'You were due to come with the van the day after tomorrow, but our new flat has fallen through. What do we still have to pay you?',
  },
  // Schornsteinfeger
  {
    language: 'de',
    passage:
      'Ankündigung: Der Kehrtermin wird Ihnen mindestens fünf Werktage vorher per Aushang oder Postkarte mitgeteilt. Können Sie nicht anwesend sein, hinterlegen Sie den Schlüssel bei Nachbarn oder rufen Sie uns an.',
    paraphrase: 'Ich bin tagsüber im Büro. Wie kommt ihr mit eurem Besen ins Haus, wenn keiner aufmacht?',
    direct: 'Wie viele Werktage vorher wird mir der Kehrtermin per Aushang oder Postkarte mitgeteilt?',
    english: "I'm at the office all day. How will you get into the house with your brush if nobody opens the door?",
  },
  {
    language: 'de',
    passage:
      'Neue Kaminöfen dürfen erst nach unserer Abnahme angeheizt werden. Vereinbaren Sie die Besichtigung möglichst vor dem Kauf, damit wir Querschnitt und Zustand des Schornsteins beurteilen können.',
    paraphrase:
      'Gestern wurde das gute Stück im Wohnzimmer angeschlossen, und mir ist eiskalt. Kann ich schon ein Feuer machen?',
    direct: 'Dürfen neue Kaminöfen schon vor Ihrer Abnahme angeheizt werden?',
    english: "They connected it in the living room yesterday and I'm freezing. Can I light a fire yet?",
  },
  {
    language: 'de',
    passage:
      'Brennholz: Verfeuern Sie nur Scheite mit höchstens 25 Prozent Feuchte. Auf Wunsch messen wir die Restfeuchte Ihres Vorrats während der Feuerstättenschau für 15 Euro.',
    paraphrase:
      'Die Birke hinterm Haus ist erst im Herbst umgefallen. Könnt ihr prüfen, ob das Zeug schon trocken genug ist?',
    direct: 'Was kostet es, wenn Sie während der Feuerstättenschau die Restfeuchte meines Vorrats an Brennholz messen?',
    english: "The birch behind our house only came down last autumn. Can you check whether it's dry enough yet?",
  },
  {
    language: 'de',
    passage:
      'Leistung: Abgasmessung an Gasheizungen einschließlich Kohlenmonoxidprüfung; Turnus: alle zwei Jahre, bei Geräten mit selbsttätiger Regelung alle drei Jahre; Gebühr: 58,40 Euro.',
    paraphrase: 'Wie oft müsst ihr nachschauen, ob das, was unsere Therme durchs Rohr hinausbläst, noch sauber ist?',
    direct: 'In welchem Turnus und für welche Gebühr machen Sie die Abgasmessung an Gasheizungen?',
    english: 'How often do you have to check that what our boiler blows out of the flue is clean?',
  },
  {
    language: 'de',
    passage:
      'Bei einem Rußbrand löschen Sie niemals mit Wasser. Schließen Sie alle Luftklappen, wählen Sie die 112 und verständigen Sie anschließend unseren Notdienst, damit der Zug kontrolliert ausbrennen kann.',
    paraphrase: 'Oben aus dem Dach schlagen Flammen, und in der Wand dröhnt es! Soll ich einen Eimer hineinkippen?',
    direct: 'Womit darf man einen Rußbrand niemals löschen, und welche Klappen soll man schließen?',
    english:
      'There are flames shooting out of the top of the roof and a roaring in the wall! Should I tip a bucket down it?',
  },
  // floristería
  {
    language: 'es',
    passage:
      'Ramos de novia: La reserva debe hacerse con tres meses de antelación y se abona una señal del 40 %. Incluye una prueba previa con flores de temporada.',
    paraphrase:
      'Me caso dentro de cinco semanas y todavía no he mirado lo que voy a llevar en la mano. ¿Llego a tiempo?',
    direct: '¿Con cuántos meses de antelación debe hacerse la reserva del ramo de novia?',
    english:
      "I'm getting married in five weeks and haven't even looked at what I'll be carrying down the aisle. Have I left it too late?",
  },
  {
    language: 'es',
    passage:
      'Entrega a domicilio: gratuita dentro del municipio para pedidos superiores a 35 euros; en el resto de la comarca se cobran 6 euros. No repartimos los domingos.',
    paraphrase:
      'Mi madre vive en un pueblo de al lado y quiero mandarle unas rosas. ¿Cuánto sale que se las llevéis hasta su puerta?',
    direct: '¿Cuánto se cobra por la entrega a domicilio en el resto de la comarca?',
    english:
      "My mum lives in the next village and I'd like to send her some roses. How much do you ask for taking them to her door?",
  },
  {
    language: 'es',
    passage:
      'Coronas fúnebres: Los encargos recibidos antes de las 11 h llegan al tanatorio esa misma tarde. La cinta con dedicatoria de hasta ocho palabras no tiene coste adicional.',
    paraphrase:
      'Ha muerto mi tío y esta noche es el velatorio. Si os llamo a primerísima hora, ¿estará allí a tiempo el detalle con nuestro mensaje?',
    direct: '¿Antes de qué hora deben recibirse los encargos de coronas para que lleguen esa misma tarde al tanatorio?',
    english:
      'My uncle has died and the wake is tonight. If I ring you first thing, will our tribute with a message be there in time?',
  },
  {
    language: 'es',
    passage:
      'Si una planta de interior enferma en los quince días siguientes a la compra, la sustituimos por otra igual, siempre que se haya regado según la ficha de cuidados.',
    paraphrase:
      'El ficus que me llevé la semana pasada se ha quedado sin hojas, y eso que le echo agua como me dijisteis. ¿Me dais uno nuevo?',
    direct: '¿Sustituyen por otra igual una planta de interior que enferma en los quince días siguientes a la compra?',
    english:
      'The ficus I got from you last week has lost all its leaves, though I water it the way you told me. Can I have a new one?',
  },
  {
    language: 'es',
    passage:
      'Suscripción para oficinas: cada lunes renovamos el centro de la recepción y retiramos el anterior. Tarifa: 48 euros al mes, sin permanencia; se puede pausar en agosto.',
    paraphrase:
      'En verano cerramos el despacho cuatro semanas. ¿Os pagamos igual aunque no haya nadie para ver el adorno del mostrador?',
    direct: '¿Se puede pausar en agosto la suscripción para oficinas y qué tarifa tiene al mes?',
    english:
      'Our firm shuts for four weeks in summer. Do we still pay you when nobody is there to see the arrangement on the front desk?',
  },
  // arreglos de ropa y sastrería
  {
    language: 'es',
    passage:
      'Bajos de pantalón: 9 euros, listos en 48 horas. Con servicio urgente, el mismo día, se aplica un recargo de 5 euros si se dejan antes del mediodía.',
    paraphrase: 'Los vaqueros me arrastran por el suelo y esta noche tengo una cena. ¿Me los acortáis para entonces?',
    direct: '¿Qué recargo se aplica por los bajos de pantalón con servicio urgente el mismo día?',
    english: "My jeans drag on the floor and I'm going out for dinner tonight. Can you shorten them by then?",
  },
  {
    language: 'es',
    passage:
      'Las prendas terminadas se guardan durante sesenta días. Transcurrido ese plazo, las donamos a una entidad benéfica sin derecho a reclamación por parte del cliente.',
    paraphrase:
      'Os traje un abrigo en Navidad y se me olvidó por completo pasar a buscarlo. Ya es abril. ¿Todavía lo tenéis?',
    direct: '¿Durante cuántos días se guardan las prendas terminadas antes de donarlas a una entidad benéfica?',
    english:
      "I brought you a coat at Christmas and completely forgot to pick it up. It's April now. Have you still got it?",
  },
  {
    language: 'es',
    passage:
      'Traje a medida: Se necesitan tres pruebas y unas siete semanas de confección. El precio parte de 780 euros con tejido nacional; la lana italiana se presupuesta aparte.',
    paraphrase:
      'Quiero que me hagáis una chaqueta con su pantalón desde cero. ¿Cuántas veces tendré que pasar por la tienda?',
    direct: '¿Cuántas pruebas y semanas de confección se necesitan para un traje a medida?',
    english:
      "I'd like you to make me a jacket and matching trousers from scratch. How many times will I have to come in?",
  },
  {
    language: 'es',
    passage:
      'Cambio de cremallera; faldas y pantalones: 12 euros; chaquetas y anoraks: 22 euros; la pieza nueva está incluida, salvo modelos metálicos de doble cursor.',
    paraphrase:
      'El plumífero de mi hija ya no cierra por delante, se le han saltado los dientes. ¿Por cuánto lo reparáis?',
    direct: '¿Está incluida la pieza nueva en el cambio de cremallera de chaquetas y anoraks?',
    english: "My daughter's puffer won't do up at the front any more, the teeth have come off. How much to fix it?",
  },
  {
    language: 'es',
    passage:
      'No admitimos ropa sin lavar. Por higiene, los artículos con manchas u olores se devuelven sin coser y se cobra una tasa de gestión de 3 euros.',
    paraphrase: '¿Pasa algo si os llevo la camisa tal cual, sudada de ayer, para que le pongáis los botones?',
    direct: '¿Qué tasa de gestión se cobra por los artículos con manchas u olores que se devuelven sin coser?',
    english:
      'Is it a problem if I bring you the shirt as it is, sweaty from yesterday, to have the buttons put back on?',
  },
  // funeraria
  {
    language: 'es',
    passage:
      'Traslado: Recogemos a la persona difunta en el hospital o en su vivienda a cualquier hora, también festivos, en un máximo de dos horas dentro de la provincia.',
    paraphrase: 'Mi abuelo acaba de morir en casa y son las tres de la madrugada. ¿Puede venir alguien ya?',
    direct: '¿En cuántas horas como máximo recogen a la persona difunta en el hospital o en su vivienda?',
    english: "My grandfather has just died at home and it's three in the morning. Can somebody come now?",
  },
  {
    language: 'es',
    passage:
      'Para iniciar los trámites necesitamos el DNI del fallecido, el certificado médico de defunción y, si existe, la póliza de decesos. Nosotros nos ocupamos del Registro Civil.',
    paraphrase: '¿Qué papeles de papá, que en paz descanse, tengo que llevaros para que podáis empezar?',
    direct: '¿Qué certificado y qué póliza necesitan del fallecido para iniciar los trámites?',
    english: "Which of my late father's papers do I have to bring you so you can get started?",
  },
  {
    language: 'es',
    passage:
      'Entrega de cenizas: La urna se retira a partir del día siguiente a la incineración, únicamente por el familiar que firmó la autorización y presentando su documento de identidad.',
    paraphrase:
      'La cremación de mamá fue ayer y todo lo organizó mi hermana, pero está enferma. ¿Puedo pasar yo en su lugar a por los restos?',
    direct: '¿A partir de qué día se retira la urna con las cenizas y qué familiar puede hacerlo?',
    english:
      "Mum was cremated yesterday and my sister arranged everything, but she's ill. Can I come and collect the remains in her place?",
  },
  {
    language: 'es',
    passage:
      'Pago aplazado: El importe del servicio puede fraccionarse hasta en doce mensualidades sin intereses, previa aprobación de la financiera. La cuota mínima es de 90 euros.',
    paraphrase: 'No tenemos todo el dinero de golpe para enterrar a la abuela. ¿Podríamos dároslo poco a poco?',
    direct: '¿En cuántas mensualidades sin intereses puede fraccionarse el importe del servicio?',
    english: "We haven't got all the money at once to bury Grandma. Could we give it to you bit by bit?",
  },
  {
    language: 'es',
    passage:
      'Sala de vela: Disponible de 8 a 22 horas, con capacidad para cuarenta personas. Se permite traer comida fría y bebidas sin alcohol; la cafetería cierra a las 20 h.',
    paraphrase: 'Seremos unos treinta acompañando a la viuda. ¿Podemos llevar bocadillos y una botella de vino?',
    direct: '¿Se permite traer comida fría y bebidas a la sala de vela?',
    english: "There'll be about thirty of us keeping the widow company. Can we take sandwiches and a bottle of wine?",
  },
  // gimnasio
  {
    language: 'es',
    passage:
      'Baja: El socio podrá cancelar su abono comunicándolo por correo electrónico antes del día 20; surtirá efecto el primer día del mes siguiente. No se devuelven cuotas abonadas.',
    paraphrase: 'No quiero seguir apuntado a vuestro gym. Si os escribo el 25, ¿todavía me pasaréis otro recibo?',
    direct: '¿Antes de qué día debe comunicar el socio por correo electrónico que quiere cancelar su abono?',
    english: "I don't want to stay signed up at your gym. If I write to you on the 25th, will you still bill me again?",
  },
  {
    language: 'es',
    passage:
      'Acceso de menores: A partir de los 14 años se puede utilizar la sala de musculación con autorización firmada de los padres y acompañamiento de un monitor en las cuatro primeras visitas.',
    paraphrase: 'Mi hijo acaba de cumplir quince y quiere levantar pesas. ¿Le dejáis?',
    direct: '¿A partir de qué años se puede utilizar la sala de musculación con autorización de los padres?',
    english: 'My son has just turned fifteen and wants to lift weights. Will you let him?',
  },
  {
    language: 'es',
    passage:
      'Es obligatorio usar toalla y calzado deportivo limpio. Quien la haya olvidado puede alquilar una en recepción por 1,50 euros; sin ella no se permite ocupar las máquinas.',
    paraphrase:
      'Vengo directo del trabajo y no traigo nada para poner en el banco debajo de la espalda. ¿Me prestáis algo?',
    direct: '¿Por cuánto se puede alquilar una toalla en recepción si la he olvidado?',
    english:
      "I've come straight from work and have nothing to put on the bench under my back. Can you lend me something?",
  },
  {
    language: 'es',
    passage:
      'Clase: ciclismo en grupo; aforo: 18 bicicletas; inscripción: desde 48 horas antes en la aplicación; ausencia sin aviso: bloqueo de reservas durante una semana.',
    paraphrase: 'Me apunté a spinning, pero ni fui ni os dije nada, y ahora el móvil no me deja coger sitio. ¿Por qué?',
    direct: '¿Cuánto dura el bloqueo de reservas por ausencia sin aviso en la clase de ciclismo en grupo?',
    english:
      "I signed up for spinning but never turned up or told you, and now my phone won't let me get a place. Why?",
  },
  {
    language: 'es',
    passage:
      'Congelación por lesión: Presentando un justificante médico, suspendemos el pago entre uno y seis meses y conservamos la tarifa que tenía contratada, sin matrícula al regresar.',
    paraphrase: 'Me he roto la pierna y no podré entrenar hasta otoño. ¿Tengo que seguir soltando dinero?',
    direct: '¿Durante cuántos meses suspenden el pago por lesión presentando un justificante médico?',
    english: "I've broken my leg and won't be able to work out until autumn. Do I have to keep handing over money?",
  },
  // taxi
  {
    language: 'fr',
    passage:
      "Transport médical assis : nous sommes conventionnés par l'Assurance maladie. Présentez votre bon de transport et votre carte Vitale ; aucune avance de frais ne vous sera demandée.",
    paraphrase:
      "Je vais en dialyse trois fois par semaine, le docteur m'a fait le papier. Est-ce que je dois sortir mon portefeuille ?",
    direct: 'Faut-il une avance de frais pour un transport médical assis avec le bon et la carte Vitale ?',
    english:
      'I go for dialysis three times a week and the doctor has given me the form. Do I need to get my wallet out?',
  },
  {
    language: 'fr',
    passage:
      "Forfait aéroport : 62 euros de jour et 74 euros entre 19 h et 7 h, péage compris, jusqu'à quatre passagers. Les skis et les poussettes voyagent gratuitement.",
    paraphrase:
      "Mon avion décolle à l'aube, il faudrait venir me prendre à cinq heures du matin. Ça me coûtera combien ?",
    direct: 'Quel est le forfait aéroport entre 19 h et 7 h, péage compris ?',
    english: "My plane leaves at dawn, so you'd have to pick me up at five in the morning. What will it cost me?",
  },
  {
    language: 'fr',
    passage:
      'Objets oubliés : ce qui est retrouvé à bord est conservé quinze jours à notre bureau de la rue des Tilleuls, puis remis à la mairie. Restitution sur description précise.',
    paraphrase: "J'ai laissé mon parapluie sur votre banquette arrière avant-hier. Où puis-je le récupérer ?",
    direct: 'Combien de jours les objets oubliés à bord sont-ils conservés à votre bureau ?',
    english: 'I left my umbrella on your back seat the day before yesterday. Where can I get it back?',
  },
  {
    language: 'fr',
    passage:
      'Animaux : les chats et petits chiens en caisse sont acceptés sans supplément. Pour un grand chien, prévenez-nous lors de la réservation ; une couverture de protection et 5 euros sont exigés.',
    paraphrase: 'Mon labrador peut-il monter avec moi, et est-ce que ça augmente la note ?',
    direct: "Que faut-il pour qu'un grand chien soit accepté, et faut-il prévenir lors de la réservation ?",
    english: 'Can my labrador ride along with me, and does that push up the fare?',
  },
  {
    language: 'fr',
    passage:
      "Toute course annulée moins d'une heure avant la prise en charge est facturée 20 euros. Le chauffeur patiente dix minutes gratuitement, ensuite le compteur tourne.",
    paraphrase:
      'Je suis encore sous la douche et votre voiture est déjà en bas. Ça va me coûter plus cher si je traîne un peu ?',
    direct: 'Combien de minutes le chauffeur patiente-t-il gratuitement avant que le compteur tourne ?',
    english: "I'm still in the shower and your car is already downstairs. Will I pay more if I dawdle a little?",
  },
  // crèche
  {
    language: 'fr',
    passage:
      "Adaptation : prévoyez deux semaines d'accueil progressif. Les trois premiers jours, un parent reste présent ; la première sieste a lieu au plus tôt le sixième jour.",
    paraphrase: 'Je reprends le boulot lundi. Puis-je vous laisser mon bébé du matin au soir dès le début ?',
    direct: "Combien de jours un parent reste-t-il présent pendant l'adaptation ?",
    english: "I'm back at work on Monday. Can I leave my baby with you from morning till evening right from the start?",
  },
  {
    language: 'fr',
    passage:
      "Médicaments : aucun traitement n'est administré sans ordonnance nominative et autorisation écrite. La première prise doit toujours être donnée à la maison par la famille.",
    paraphrase:
      'Ma fille a une otite et le pédiatre lui a prescrit un antibiotique. Pouvez-vous lui faire avaler son sirop à midi ?',
    direct: 'Un traitement est-il administré sans ordonnance nominative ni autorisation écrite ?',
    english:
      'My daughter has an ear infection and the doctor has put her on antibiotics. Can you give her the syrup at noon?',
  },
  {
    language: 'fr',
    passage:
      "Retards : après 18 h 30, chaque quart d'heure entamé est facturé 8 euros. À partir de trois dépassements dans le mois, la directrice convoque les parents.",
    paraphrase:
      "Je suis coincée dans les bouchons et je n'arriverai pas à récupérer Hugo avant la fermeture. Je vais payer plus ?",
    direct: "Combien est facturé chaque quart d'heure entamé après 18 h 30 ?",
    english: "I'm stuck in traffic and won't make it to pick up Hugo before closing time. Will I be charged extra?",
  },
  {
    language: 'fr',
    passage:
      "Repas : les plats sont cuisinés sur place, sans porc le mardi et le jeudi. En cas d'allergie, un protocole signé par le médecin est indispensable avant tout panier apporté.",
    paraphrase: 'Léo ne supporte pas les œufs. Est-ce que je peux lui préparer son déjeuner moi-même ?',
    direct: "En cas d'allergie, quel protocole signé est indispensable avant d'apporter un panier ?",
    english: "Léo can't tolerate eggs. Can I make his lunch for him myself?",
  },
  {
    language: 'fr',
    passage:
      "Fournitures : les couches et le lait premier âge sont offerts. Apportez une tenue de rechange marquée au nom de l'enfant, un chapeau en été et sa turbulette.",
    paraphrase: "Qu'est-ce que je mets dans le sac de la petite, et faut-il acheter des Pampers ?",
    direct: 'Les couches et le lait premier âge sont-ils offerts, et quelle tenue faut-il apporter ?',
    english: "What should I pack in my little girl's bag, and do I need to buy nappies?",
  },
  // théâtre
  {
    language: 'fr',
    passage:
      "Retardataires : une fois le spectacle commencé, les places numérotées ne sont plus garanties. L'entrée en salle s'effectue uniquement à l'entracte, sans remboursement possible.",
    paraphrase:
      "La pièce débute à huit heures du soir, mais mon train n'arrive qu'à huit heures dix. Pourrai-je encore m'asseoir ?",
    direct: 'Les places numérotées sont-elles garanties une fois le spectacle commencé ?',
    english: "The play begins at eight but my train doesn't get in until ten past. Will I still be able to sit down?",
  },
  {
    language: 'fr',
    passage:
      "Tarif réduit : les moins de 26 ans, les demandeurs d'emploi et les bénéficiaires du RSA paient 9 euros, sur présentation d'un justificatif de moins de trois mois.",
    paraphrase: 'Je suis au chômage, est-ce que vous me faites un prix sur le billet ?',
    direct: "Quel est le tarif réduit pour les demandeurs d'emploi sur présentation d'un justificatif ?",
    english: "I'm out of work, can I get a cheaper ticket?",
  },
  {
    language: 'fr',
    passage:
      "Accessibilité : quatre emplacements pour fauteuils roulants se trouvent au premier rang. Réservez-les par téléphone au moins la veille ; l'accompagnateur bénéficie d'une invitation.",
    paraphrase: 'Ma femme ne peut plus marcher. Pourra-t-elle voir la pièce, et moi, dois-je acheter un billet ?',
    direct: 'Où se trouvent les emplacements pour fauteuils roulants, et comment les réserver ?',
    english: 'My wife can no longer walk. Will she be able to see the play, and do I have to buy a ticket myself?',
  },
  {
    language: 'fr',
    passage:
      'Vestiaire : les valises, casques et grands sacs à dos sont interdits en salle et déposés gratuitement au sous-sol. La maison décline toute responsabilité pour les objets de valeur.',
    paraphrase:
      "J'arrive directement de la gare avec mes bagages. Je peux les garder à mes pieds pendant la représentation ?",
    direct: 'Les valises et grands sacs à dos sont-ils interdits en salle, et où sont-ils déposés ?',
    english: "I'm coming straight from the station with my luggage. Can I keep it by my feet during the performance?",
  },
  {
    language: 'fr',
    passage:
      "Report d'une représentation : si l'artiste est souffrant, vos billets restent valables pour la nouvelle date. Un avoir ou un remboursement peut être demandé sous trente jours au guichet.",
    paraphrase:
      'Le comédien est tombé malade, et le soir que vous proposez à la place, je serai en voyage. Je perds mon argent ?',
    direct:
      "Sous combien de jours peut-on demander un remboursement au guichet en cas de report d'une représentation ?",
    english: "The actor has fallen ill, and I'll be away on the evening you're offering instead. Do I lose my money?",
  },
  // plombier
  {
    language: 'fr',
    passage:
      'Dépannage : le déplacement coûte 45 euros en semaine et 90 euros le week-end ; il est déduit de la facture si vous acceptez le devis.',
    paraphrase:
      'Si vous venez dimanche regarder mes toilettes et que je trouve ça trop cher, je vous dois quand même quelque chose ?',
    direct: 'Combien coûte le déplacement le week-end, et est-il déduit de la facture ?',
    english: 'If you come on Sunday to look at my toilet and I find it too expensive, do I still owe you something?',
  },
  {
    language: 'fr',
    passage:
      "En attendant notre arrivée, fermez le robinet d'arrêt général, généralement situé près du compteur, et coupez l'électricité dans les pièces inondées.",
    paraphrase: "Au secours, un tuyau a éclaté, ça coule partout ! Qu'est-ce que je fais tout de suite ?",
    direct: "Où est situé le robinet d'arrêt général à fermer en attendant votre arrivée ?",
    english: "Help, a pipe has burst and it's gushing everywhere! What do I do right now?",
  },
  {
    language: 'fr',
    passage:
      'Entretien annuel de chaudière gaz : 125 euros, attestation remise dans les quinze jours. Ce document est à conserver deux ans et peut être exigé par votre assureur ou votre bailleur.',
    paraphrase: "Le propriétaire me réclame la preuve que le chauffage a bien été vérifié. Vous me l'envoyez quand ?",
    direct: "Dans combien de jours l'attestation d'entretien annuel de la chaudière gaz est-elle remise ?",
    english: 'My landlord wants proof that the heating has been checked. When will you send it to me?',
  },
  {
    language: 'fr',
    passage:
      "Débouchage de canalisation ; furet manuel : 95 euros ; haute pression : 180 euros ; passage caméra : 70 euros, offert lorsque l'obstruction revient dans les trois mois.",
    paraphrase:
      "Vous étiez là il y a six semaines pour l'évier, et il ne s'écoule déjà plus. Faudra-t-il repayer pour regarder à l'intérieur ?",
    direct: "Le passage caméra est-il offert lorsque l'obstruction de la canalisation revient dans les trois mois ?",
    english:
      'You came six weeks ago for the sink and it has stopped draining again. Will we have to pay for you to look inside?',
  },
  {
    language: 'fr',
    passage:
      'Garantie : nos travaux sont couverts dix ans pour les installations encastrées et deux ans pour la robinetterie. Les appareils achetés par le client lui-même en sont exclus.',
    paraphrase:
      "J'ai trouvé un mitigeur sur Internet, vous l'avez monté, et il goutte. Vous me réparez ça gratuitement ?",
    direct: "Pendant combien d'ans vos travaux de robinetterie sont-ils couverts par la garantie ?",
    english: 'I found a mixer tap online, you fitted it, and now it drips. Will you fix it for nothing?',
  },
]

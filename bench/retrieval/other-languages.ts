import type { HeldOut } from './held-out.ts'

/** A question to a passage in another language than English, in three ways. */
export interface InOtherLanguage extends HeldOut {
  language: 'de' | 'es' | 'fr'
  /** As a customer asks who does not speak the language of the passage. */
  english: string
}

/**
 * Trades in German, Spanish and French, written before texts were put into English (record 54) and put to the search
 * before and after.
 */
export const otherLanguages: readonly InOtherLanguage[] = [
  // Apotheke
  {
    language: 'de',
    passage:
      'Botendienst: Arzneimittel, die bis 14 Uhr bestellt sind, liefert unser Bote werktags zwischen 16 und 18.30 Uhr kostenlos im Stadtgebiet aus. In die Ortsteile Hainbach und Lorch fahren wir dienstags und freitags.',
    paraphrase: 'Ich liege mit Fieber flach und komme nicht vor die Tür, kann mir jemand die Medizin vorbeibringen?',
    direct: 'Wann liefert der Bote die bis 14 Uhr bestellten Arzneimittel aus?',
    english: "I'm stuck in bed with a fever. Could somebody drop my medicine off at my place?",
  },
  {
    language: 'de',
    passage:
      'Notdienst: Außerhalb der Öffnungszeiten klingeln Sie bitte an der Nachtglocke links neben dem Eingang. Zwischen 20 und 6 Uhr sowie an Sonn- und Feiertagen wird die gesetzliche Gebühr von 2,50 Euro erhoben.',
    paraphrase:
      'Um drei in der Früh ist der Hustensaft fürs Kind leer. Macht mir da jemand auf, und muss ich was draufzahlen?',
    direct: 'Wie hoch ist die Gebühr im Notdienst an Sonn- und Feiertagen?',
    english:
      "It's three in the morning and we've run out of cough syrup for our little one. Will anyone serve me, and is there a surcharge?",
  },
  {
    language: 'de',
    passage:
      'Verblisterung: Für Patienten mit Dauermedikation stellen wir die Tabletten wöchentlich in beschrifteten Tütchen zusammen, sortiert nach morgens, mittags, abends und zur Nacht. Kosten: 4,90 Euro je Woche; der Medikationsplan des Arztes muss vorliegen.',
    paraphrase: 'Meine Oma bringt ihre ganzen Pillen ständig durcheinander, könnt ihr die irgendwie vorportionieren?',
    direct: 'Was kostet die wöchentliche Verblisterung der Tabletten bei Dauermedikation?',
    english: 'Gran keeps muddling up all her pills. Could you portion them out for her by time of day?',
  },
  {
    language: 'de',
    passage:
      'Reiseimpfberatung: Wir prüfen Ihren Impfpass und erstellen eine Empfehlung für Ihr Zielland. Bitte vereinbaren Sie spätestens sechs Wochen vor der Abreise einen Termin; die Beratung dauert 20 Minuten und kostet 18 Euro.',
    paraphrase: "Im Herbst geht's nach Kenia, welche Spritzen brauche ich da und wann soll ich bei euch aufkreuzen?",
    direct: 'Wie viele Wochen vor der Abreise muss ich den Termin zur Reiseimpfberatung vereinbaren?',
    english: "We're off to Kenya in the autumn. Who can tell me which jabs I need, and how early should I come in?",
  },
  {
    language: 'de',
    passage:
      'Rezepturen: Individuell verordnete Salben, Kapseln und Zäpfchen fertigen wir in unserem Labor selbst an. In der Regel ist die Zubereitung am folgenden Werktag nach 11 Uhr abholbereit, bei sterilen Augentropfen nach drei Werktagen.',
    paraphrase:
      'Der Hautarzt hat mir eine Creme aufgeschrieben, die extra gemischt werden muss. Kann ich die gleich mitnehmen?',
    direct: 'Wann ist eine im Labor angefertigte Salbe abholbereit?',
    english: 'My dermatologist has put me on a cream you have to mix specially. Can I take it away on the spot?',
  },
  {
    language: 'de',
    passage:
      'Rücknahme von Altarzneien: Abgelaufene oder nicht mehr benötigte Medikamente nehmen wir aus rechtlichen Gründen nicht zurück. Bitte entsorgen Sie diese über den Restmüll oder am Schadstoffmobil, keinesfalls über die Toilette.',
    paraphrase:
      'Beim Ausräumen von Papas Badschrank lag lauter uraltes Zeug, angebrochene Packungen und so. Kann ich das bei euch loswerden?',
    direct: 'Nehmen Sie abgelaufene Medikamente zurück?',
    english:
      "Clearing out Dad's bathroom cabinet I found heaps of ancient half-used pill packets. Can I hand them in to you?",
  },
  // Gärtnerei
  {
    language: 'de',
    passage:
      'Balkonkästen: Bringen Sie Ihre leeren Kästen ab dem 15. April zu uns, wir bepflanzen sie nach Ihren Wünschen. Berechnet werden nur Pflanzen und Erde, die Arbeitszeit ist bis zu einer Kastenlänge von 100 cm inbegriffen.',
    paraphrase:
      'Könnt ihr mir die Geranien fürs Fensterbrett gleich fertig einsetzen, wenn ich mit meinen Behältern vorbeikomme?',
    direct: 'Ab wann bepflanzen Sie leere Balkonkästen?',
    english: 'If I turn up with my own window boxes, will you put the geraniums in for me?',
  },
  {
    language: 'de',
    passage:
      'Überwinterung: Kübelpflanzen wie Oleander, Zitrus und Olive nehmen wir von Mitte Oktober bis Mitte Mai in unser frostfreies Gewächshaus auf. Preis: 28 Euro je Quadratmeter Stellfläche, Schädlingskontrolle und Gießen inklusive.',
    paraphrase:
      'Mein Feigenbaum auf der Terrasse verträgt keine Kälte und drinnen habe ich keinen Platz, habt ihr was für ihn?',
    direct: 'Was kostet die Überwinterung von Kübelpflanzen je Quadratmeter Stellfläche?',
    english:
      "The fig tree on my patio can't take the cold and there's no room for it indoors. Do you have somewhere it can go?",
  },
  {
    language: 'de',
    passage:
      'Anwuchsgarantie: Auf alle Gehölze, die unsere Mitarbeiter bei Ihnen eingesetzt haben, gewähren wir zwei Vegetationsperioden Garantie. Ausgenommen sind Ausfälle durch Trockenheit, Wildverbiss oder Wühlmäuse; der Kaufbeleg ist vorzulegen.',
    paraphrase:
      'Der Apfelbaum, den euer Team letztes Jahr bei uns gepflanzt hat, ist einfach eingegangen. Bekomme ich einen neuen?',
    direct: 'Für wie viele Vegetationsperioden gilt die Anwuchsgarantie auf Gehölze?',
    english: 'The apple tree your people planted for us last year has simply died. Do I get a new one?',
  },
  {
    language: 'de',
    passage:
      'Grabpflege: Die Jahrespflege umfasst dreimalige Wechselbepflanzung, Gießen, Unkrautentfernung und ein Gesteck zu Allerheiligen. Für ein Einzelgrab berechnen wir 245 Euro, für ein Doppelgrab 360 Euro, zahlbar im Voraus.',
    paraphrase:
      'Meine Eltern liegen hier auf dem Friedhof, ich wohne aber weit weg. Kümmert sich da jemand drum, dass es ordentlich aussieht?',
    direct: 'Was kostet die Jahrespflege für ein Doppelgrab?',
    english: "My parents are buried here but I live hours away. Is there someone who'd keep the plot looking tidy?",
  },
  {
    language: 'de',
    passage:
      'Rollrasen: Bestellungen bis Dienstagabend werden am Freitag derselben Woche frisch geschält angeliefert. Mindestmenge 30 Quadratmeter; die Rollen müssen innerhalb von 24 Stunden verlegt werden, im Hochsommer noch am Liefertag.',
    paraphrase: 'Wie schnell nach der Ankunft muss das fertige Gras auf den Boden?',
    direct: 'Innerhalb von wie vielen Stunden müssen die Rollen des Rollrasens verlegt werden?',
    english: 'How soon after it turns up does the ready-grown turf have to go down?',
  },
  {
    language: 'de',
    passage:
      'Bodenprobe: Geben Sie etwa 500 Gramm Erde aus verschiedenen Stellen Ihres Gartens in einem sauberen Beutel ab. Den pH-Wert bestimmen wir sofort gratis, die Nährstoffanalyse des Labors kostet 32 Euro und dauert zehn Tage.',
    paraphrase:
      'Bei mir werden die Hortensien nie blau und die Tomaten kümmern vor sich hin. Kann man herausfinden, was dem Beet fehlt?',
    direct: 'Wie viel Gramm Erde gebe ich für die Bodenprobe ab und was kostet die Nährstoffanalyse?',
    english: "My hydrangeas won't go blue and the tomatoes are sulking. Can you find out what's missing from the bed?",
  },
  // Schornsteinfeger
  {
    language: 'de',
    passage:
      'Ankündigung: Der Kehrtermin wird mindestens fünf Werktage vorher durch Aushang im Treppenhaus oder Karte im Briefkasten angekündigt. Können Sie zu dieser Zeit nicht anwesend sein, verlegen wir ihn auf Anruf einmal unentgeltlich.',
    paraphrase:
      'Da hing ein Zettel, dass ihr am Donnerstag zum Fegen kommt, aber da bin ich arbeiten. Geht auch ein anderer Tag?',
    direct: 'Wie viele Werktage vorher wird der Kehrtermin angekündigt?',
    english: "I found a note saying you're coming to sweep on Thursday, but I'll be at work. Can we pick another day?",
  },
  {
    language: 'de',
    passage:
      'Feuerstättenbescheid: Aus dem Bescheid geht hervor, welche Arbeiten an Ihrer Heizungsanlage bis wann auszuführen sind. Nach einem Eigentümerwechsel stellen wir ihn neu aus; die Gebühr richtet sich nach der Kehr- und Überprüfungsordnung.',
    paraphrase:
      'Wir haben gerade ein Haus gekauft. Gibt es ein Papier, in dem steht, was am Kessel und am Kamin fällig ist?',
    direct: 'Wird der Feuerstättenbescheid nach einem Eigentümerwechsel neu ausgestellt?',
    english:
      "We've just bought a house. Is there a document setting out what has to be done to the boiler and chimney, and when?",
  },
  {
    language: 'de',
    passage:
      'Abnahme: Neue Kaminöfen dürfen erst nach schriftlicher Freigabe durch den Bezirksschornsteinfeger betrieben werden. Reichen Sie vor dem Kauf das Datenblatt und eine Skizze des Aufstellraums ein; die Abnahme kostet rund 95 Euro.',
    paraphrase:
      'Gestern hat uns der Händler das gute Stück ins Wohnzimmer gebaut. Können wir heute Abend schon Holz reinlegen und anzünden?',
    direct: 'Was kostet die Abnahme neuer Kaminöfen?',
    english: 'The shop put our new wood burner in yesterday. Are we OK to light it tonight?',
  },
  {
    language: 'de',
    passage:
      'Leistung: Messung Gas-Brennwertgerät; Intervall: alle zwei Jahre, bei selbstkalibrierender Regelung alle drei Jahre; Dauer: etwa 15 Minuten; Preis: 58,40 Euro inkl. Anfahrt; Hinweis: Wartungsprotokoll bereithalten.',
    paraphrase: 'Wie oft müsst ihr unsere Therme im Keller überprüfen?',
    direct: 'In welchem Intervall erfolgt die Messung am Gas-Brennwertgerät?',
    english: 'How often do you have to test our condensing boiler in the basement?',
  },
  {
    language: 'de',
    passage:
      'Rußbrand: Hören Sie ein lautes Rauschen im Schornstein und schlagen Funken aus der Mündung, wählen Sie sofort 112. Löschen Sie niemals mit Wasser; schließen Sie die Luftzufuhr und räumen Sie brennbare Gegenstände von den Wänden ab.',
    paraphrase: 'Oben aus dem Dach kommen Flammen und im Rohr dröhnt es wie ein Düsenjet, was mache ich jetzt?',
    direct: 'Was tun bei Rußbrand, wenn Funken aus der Mündung schlagen?',
    english: "There are flames shooting out of the top of the flue and it's roaring like a jet engine. What do I do?",
  },
  {
    language: 'de',
    passage:
      'Brennholz: Verheizt werden darf nur naturbelassenes Holz mit höchstens 25 Prozent Feuchte. Bei der Feuerstättenschau messen wir Ihre Scheite kostenlos nach; lackierte Bretter, Spanplatten und Paletten mit Anstrich sind verboten.',
    paraphrase: 'Kann ich Opas alten Kleiderschrank kleinhacken und damit im Winter die Stube warm kriegen?',
    direct: 'Wie viel Prozent Feuchte darf Brennholz höchstens haben?',
    english: "Can I chop up Grandpa's old varnished wardrobe and burn it to keep the living room warm?",
  },
  // Optiker
  {
    language: 'de',
    passage:
      'Sehtest: Die Augenglasbestimmung dauert rund 30 Minuten und kostet 25 Euro. Beim Kauf einer Brille wird der Betrag verrechnet. Tragen Sie bitte zwölf Stunden vor dem Termin keine Kontaktlinsen.',
    paraphrase:
      'Ich glaube, meine Stärke hat sich geändert, in der Ferne wird alles unscharf. Könnt ihr das nachmessen, und was verlangt ihr dafür?',
    direct: 'Wie viele Stunden vor dem Sehtest soll ich keine Kontaktlinsen tragen?',
    english:
      'I think my prescription has changed, everything far away is blurry. Could you check it, and what would you charge?',
  },
  {
    language: 'de',
    passage:
      'Reparatur: Kleinere Arbeiten wie das Erneuern von Schrauben, Nasenpads oder das Richten der Bügel erledigen wir sofort und ohne Berechnung, auch wenn die Fassung nicht bei uns erworben wurde. Lötarbeiten dauern vier Werktage.',
    paraphrase: 'Ich hab mich draufgesetzt, jetzt hängt sie mir ganz schief im Gesicht. Biegt ihr das gleich gerade?',
    direct: 'Erneuern Sie Schrauben und Nasenpads sofort und ohne Berechnung?',
    english: "I sat on my glasses and now they're all crooked. Could you bend them straight while I wait?",
  },
  {
    language: 'de',
    passage:
      'Gleitsichtgläser: Kommen Sie mit Ihren neuen Gläsern innerhalb von acht Wochen nicht zurecht, tauschen wir sie einmalig gegen Einstärkengläser oder ein anderes Modell. Eine Erstattung des Preisunterschieds erfolgt als Gutschein.',
    paraphrase:
      'Mir wird mit dem Ding für nah und fern beim Treppensteigen dauernd schwindlig. Kann ich es zurückgeben?',
    direct: 'Innerhalb von wie vielen Wochen tauschen Sie Gleitsichtgläser?',
    english: 'These varifocals make me dizzy on the stairs. Can I bring them back?',
  },
  {
    language: 'de',
    passage:
      'Kinderbrillen: Für Kinder bis 14 Jahre mit ärztlicher Verordnung entfällt die Zuzahlung bei unserem Basismodell. Zerbricht die Fassung im ersten Jahr, ersetzen wir sie zum halben Preis, auch nach Sportunfällen.',
    paraphrase:
      'Unser Sohn ist sieben und hat beim Fußball schon wieder sein Gestell geschrottet, müssen wir alles neu berappen?',
    direct: 'Bis wie viele Jahre entfällt bei Kinderbrillen die Zuzahlung?',
    english: 'Our seven-year-old has smashed his specs at football again. Do we have to pay for a whole new pair?',
  },
  {
    language: 'de',
    passage:
      'Kontaktlinsen-Abo: Sie erhalten vierteljährlich Linsen und Pflegemittel per Post, Monatsbeitrag 24,90 Euro. Zwei Nachkontrollen pro Jahr sind enthalten. Das Abo ist nach sechs Monaten jederzeit zum Quartalsende kündbar.',
    paraphrase:
      'Ich will das regelmäßige Paket mit den Dingern zum Reinsetzen nicht mehr, wie komme ich aus dem Vertrag raus?',
    direct: 'Wann ist das Kontaktlinsen-Abo kündbar?',
    english: "I don't want the regular parcel of contacts any more. When can I get out of the contract?",
  },
  {
    language: 'de',
    passage:
      'Hausbesuch: Wer die Wohnung nicht verlassen kann, wird von unserer Meisterin daheim oder im Pflegeheim vermessen. Leistung donnerstags nach Vereinbarung; Pauschale: 35 Euro im Umkreis von 15 Kilometern, Fassungsauswahl bringen wir mit.',
    paraphrase:
      "Meine Mutter ist bettlägerig und kann die Zeitung kaum noch lesen. Gibt's jemanden, der für eine neue Brille zu ihr kommt?",
    direct: 'Wie hoch ist die Pauschale für den Hausbesuch im Umkreis von 15 Kilometern?',
    english: 'My mother is bedridden and can hardly read the paper. Could someone come to her about new glasses?',
  },
  // Clínica dental
  {
    language: 'es',
    passage:
      'Urgencias: Si sufre dolor agudo o inflamación, llámenos antes de las 10:00 y le atenderemos el mismo día. La visita de urgencia cuesta 40 euros, que se descuentan si inicia tratamiento con nosotros.',
    paraphrase: 'No he pegado ojo, tengo la muela a reventar y la cara hinchadísima, ¿me podéis ver hoy?',
    direct: '¿Cuánto cuesta la visita de urgencia por dolor agudo?',
    english: "I haven't slept a wink, my tooth is killing me and my cheek's swollen. Can you fit me in today?",
  },
  {
    language: 'es',
    passage:
      'Anulación de citas: Las citas deben anularse con un mínimo de 24 horas de antelación. En caso contrario, se cargarán 25 euros en concepto de gabinete reservado, salvo causa médica justificada con documento.',
    paraphrase: 'Me ha surgido un lío en el trabajo y esta tarde no puedo ir al dentista, ¿me vais a cobrar algo?',
    direct: '¿Con cuántas horas de antelación deben anularse las citas?',
    english: "Something's come up at work and I can't make it to the dentist this afternoon. Will you charge me?",
  },
  {
    language: 'es',
    passage:
      'Ortodoncia invisible: El primer estudio, con escáner y fotografías, es gratuito. El tratamiento completo se puede financiar hasta en 24 meses sin intereses; los alineadores se renuevan cada quince días en la clínica o por mensajería.',
    paraphrase:
      'Quiero ponerme derechos los dientes sin llevar hierros, pero no tengo todo el dinero de golpe, ¿puedo ir pagando poco a poco?',
    direct: '¿Cada cuántos días se renuevan los alineadores de la ortodoncia invisible?',
    english:
      "I'd like my teeth straightened without metal braces, but I can't afford it all at once. Can I spread the payments?",
  },
  {
    language: 'es',
    passage:
      'Implantes: Tras la colocación debe evitarse el ejercicio físico durante 72 horas, no fumar durante una semana y tomar alimentos blandos y fríos. La corona definitiva se fija transcurridos tres meses, previa radiografía.',
    paraphrase: 'Ayer me metieron el tornillo en la encía, ¿puedo ir mañana al gimnasio?',
    direct: '¿Cuándo se fija la corona definitiva tras la colocación de los implantes?',
    english: 'I had the screw put in my jaw yesterday. Can I hit the gym tomorrow?',
  },
  {
    language: 'es',
    passage:
      'Servicio: limpieza bucal; Duración: 45 minutos; Precio: 55 euros, o 39 euros con el carné familiar; Frecuencia recomendada: cada seis meses; Incluye: revisión, eliminación de sarro y pulido.',
    paraphrase: '¿Por cuánto me quitáis las manchas de café y lo que se va pegando entre los dientes?',
    direct: '¿Qué precio tiene la limpieza bucal con el carné familiar?',
    english: 'How much would it be to have the tartar and coffee stains taken off my teeth?',
  },
  {
    language: 'es',
    passage:
      'Odontopediatría: Los menores de 6 a 15 años empadronados en la comunidad tienen cubiertas las revisiones, los selladores y los empastes por el programa público. Presente la tarjeta sanitaria del niño en recepción.',
    paraphrase: 'A mi hija, que va a tercero de primaria, le ha salido una caries. ¿Me sale gratis arreglársela?',
    direct: '¿Qué tienen cubierto los menores de 6 a 15 años por el programa público?',
    english: 'My eight-year-old has a cavity. Will it cost us anything to have it fixed?',
  },
  // Panadería
  {
    language: 'es',
    passage:
      'Encargos de tartas: Las tartas personalizadas se encargan con cinco días de antelación y una señal del 30 %. Indíquenos el número de raciones, el relleno y el texto; la foto comestible tiene un suplemento de 8 euros.',
    paraphrase: 'El domingo es el cumple del niño y querría un pastel con su nombre y su cara encima, ¿llego a tiempo?',
    direct: '¿Con cuántos días de antelación se encargan las tartas personalizadas?',
    english: "My son's birthday is on Sunday and I'd love a cake with his name and face on it. Am I too late?",
  },
  {
    language: 'es',
    passage:
      'Productos sin gluten: Elaboramos pan y magdalenas sin gluten los martes y viernes en un obrador separado. Se venden envasados y congelados; no garantizamos la ausencia de trazas de frutos secos.',
    paraphrase: 'Soy celíaca, ¿tenéis algo que pueda comer tranquila?',
    direct: '¿Qué días elaboran pan y magdalenas sin gluten?',
    english: "I'm coeliac. Do you have anything that's safe for me?",
  },
  {
    language: 'es',
    passage:
      'Pan del día anterior: A partir de las 19:30 las barras y hogazas que quedan en el mostrador se ofrecen al 50 %. Lo que no se vende lo recoge cada noche el comedor social San Roque.',
    paraphrase: '¿Qué hacéis con lo que os sobra al cerrar, lo tiráis o lo dejáis más barato?',
    direct: '¿A partir de qué hora se ofrecen al 50 % las barras y hogazas del mostrador?',
    english: 'What happens to your leftovers at closing time, do you bin them or sell them off cheap?',
  },
  {
    language: 'es',
    passage:
      'Servicio a hostelería: Repartimos a bares y restaurantes de lunes a sábado entre las 5:30 y las 7:00. Pedido mínimo 20 euros por entrega; la facturación es quincenal y se abona por domiciliación.',
    paraphrase: 'Voy a abrir una cafetería en el barrio y necesitaría cruasanes al amanecer, ¿me los lleváis?',
    direct: '¿Cuál es el pedido mínimo por entrega para bares y restaurantes?',
    english:
      "I'm opening a coffee shop nearby and I'd need croissants first thing every morning. Would you bring them round?",
  },
  {
    language: 'es',
    passage:
      'Masa madre: Regalamos 100 gramos de nuestra masa madre de centeno a quien traiga un tarro de cristal limpio. Aliméntela cada semana con harina y agua a partes iguales y guárdela en la nevera.',
    paraphrase:
      'Me gustaría meterme a panadero en casa con fermento natural y no tengo con qué empezar, ¿me dais un poco?',
    direct: '¿Cuántos gramos de masa madre de centeno regalan?',
    english: "I want to try baking at home with a natural starter but haven't got one. Could I have a bit of yours?",
  },
  {
    language: 'es',
    passage:
      'Talleres infantiles: El primer sábado de mes los pequeños de 5 a 10 años amasan y hornean su propia rosca. Horario: 10:30 a 12:00; Precio: 12 euros con desayuno; Plazas: ocho; inscripción en tienda.',
    paraphrase: 'Busco un plan de fin de semana para que mi sobrina de siete se manche las manos haciendo bollos.',
    direct: '¿Qué precio tiene el taller infantil del primer sábado de mes?',
    english: "I'm after a weekend activity where my seven-year-old niece can get her hands messy making bread rolls.",
  },
  // Escuela infantil
  {
    language: 'es',
    passage:
      'Periodo de adaptación: Durante las dos primeras semanas de septiembre la permanencia en el aula se incrementa gradualmente, desde una hora el primer día. Un familiar podrá acompañar al alumno los tres primeros días.',
    paraphrase: 'Nunca se ha separado de mí y seguro que llora, ¿me puedo quedar con él un rato al empezar el curso?',
    direct: '¿Cuántos días podrá un familiar acompañar al alumno en el periodo de adaptación?',
    english: "He's never been apart from me and he's bound to cry. Can I stay with him for a bit when term starts?",
  },
  {
    language: 'es',
    passage:
      'Salud: No se admitirá a niños con fiebre superior a 37,5 °C, diarrea, conjuntivitis o piojos. Para reincorporarse deberán permanecer 24 horas sin síntomas; los medicamentos solo se administran con receta y autorización firmada.',
    paraphrase: 'El peque se ha levantado con los ojos pegados y llenos de legañas, ¿lo llevo o lo dejo en casa?',
    direct: '¿Cuántas horas sin síntomas deberán permanecer los niños para reincorporarse?',
    english: 'My toddler woke up with sticky, gunky eyes. Should I bring him in or keep him home?',
  },
  {
    language: 'es',
    passage:
      'Comedor: El menú se elabora en cocina propia y se adapta a alergias e intolerancias previa presentación del informe pediátrico. Importe mensual: 98 euros; día suelto: 6,20 euros, avisando antes de las 9:30.',
    paraphrase: 'Mi hija no puede tomar huevo, ¿le preparáis otro plato al mediodía?',
    direct: '¿Cuál es el importe del comedor por un día suelto?',
    english: "My daughter can't have eggs. Will you make her something different for lunch?",
  },
  {
    language: 'es',
    passage:
      'Recogida: Solo se entregará al menor a las personas inscritas en la ficha, que mostrarán su documento de identidad. Para autorizar a otra persona, envíe un mensaje por la aplicación antes de las 15:00.',
    paraphrase: 'Hoy voy a tardar y tendría que pasar mi vecina a por la niña, ¿se la dais?',
    direct: '¿Antes de qué hora hay que enviar el mensaje para autorizar a otra persona en la recogida?',
    english:
      "I'm held up today, so my neighbour would have to come and get my little girl. Will you let her go with her?",
  },
  {
    language: 'es',
    passage:
      'Horario ampliado: El servicio de madrugadores funciona de 7:15 a 9:00 y el de tarde de 16:30 a 18:00. Cada uno cuesta 35 euros al mes; los retrasos de más de diez minutos se penalizan con 5 euros.',
    paraphrase: 'Entro a currar a las ocho, ¿puedo dejar al crío más pronto de lo normal?',
    direct: '¿De qué hora a qué hora funciona el servicio de madrugadores?',
    english: 'I start work at eight. Can I drop my kid off earlier than usual?',
  },
  {
    language: 'es',
    passage:
      'Matrícula: El plazo de solicitud va del 2 al 16 de mayo. Puntúan los hermanos escolarizados en el centro, la renta familiar y el domicilio o lugar de trabajo en el municipio; la lista provisional se publica el 3 de junio.',
    paraphrase:
      'El mayor ya está con vosotros y quiero apuntar también a la bebé, ¿eso nos da ventaja y cuándo entrego los papeles?',
    direct: '¿Cuándo se publica la lista provisional de la matrícula?',
    english:
      "Our eldest is already with you and I'd like to sign the baby up too. Does that give us an edge, and when do I hand in the forms?",
  },
  // Gestoría
  {
    language: 'es',
    passage:
      'Declaración de la renta: Preparamos y presentamos su declaración por 45 euros, o 70 euros si ha vendido un inmueble o tiene alquileres. Traiga el DNI, el número de cuenta y los certificados del banco.',
    paraphrase: 'Este año me he deshecho del piso de la playa, ¿por cuánto me hacéis los papeles del fisco?',
    direct: '¿Cuánto es la declaración de la renta si ha vendido un inmueble?',
    english: 'I got rid of my beach flat this year. What would you charge to do my tax return?',
  },
  {
    language: 'es',
    passage:
      'Alta de autónomos: Tramitamos el alta en Hacienda y en la Seguridad Social en 48 horas. La primera consulta es gratuita y le explicamos la tarifa reducida de 80 euros mensuales durante los doce primeros meses.',
    paraphrase: 'Quiero empezar a trabajar por mi cuenta como fontanero y no sé ni qué papeles hacen falta.',
    direct: '¿En cuántas horas tramitan el alta de autónomos?',
    english: "I want to set up on my own as a plumber and haven't a clue what paperwork that takes.",
  },
  {
    language: 'es',
    passage:
      'Transferencia de vehículos: Gestionamos el cambio de titularidad en tres días hábiles. Honorarios: 60 euros más tasas e impuesto; Documentación: permiso de circulación, ficha técnica, contrato firmado y DNI de ambas partes.',
    paraphrase: 'Le he comprado el coche a mi cuñado y habrá que ponerlo a mi nombre, ¿qué os llevo?',
    direct: '¿Cuáles son los honorarios por el cambio de titularidad de vehículos?',
    english: "I've bought my brother-in-law's car and it needs putting in my name. What should I bring you?",
  },
  {
    language: 'es',
    passage:
      'Contratación de empleadas de hogar: Redactamos el contrato, damos el alta y emitimos la nómina mensual por 18 euros. El empleador debe facilitarnos las horas semanales, el salario pactado y el número de afiliación de la trabajadora.',
    paraphrase:
      'Viene una señora a limpiar y a cuidar de mi padre y quiero tenerla asegurada como es debido, ¿os ocupáis vosotros?',
    direct: '¿Por cuánto emiten la nómina mensual de las empleadas de hogar?',
    english:
      'A lady comes in to clean and look after my dad, and I want her properly on the books. Can you take care of that?',
  },
  {
    language: 'es',
    passage:
      'Herencias: Para iniciar la tramitación necesitamos el certificado de defunción, el de últimas voluntades y el testamento. El impuesto de sucesiones debe liquidarse en seis meses; la prórroga se pide dentro de los cinco primeros.',
    paraphrase: 'Mi madre falleció en enero y nos ha dejado la casa, ¿hasta cuándo tenemos para arreglarlo todo?',
    direct: '¿En cuántos meses debe liquidarse el impuesto de sucesiones?',
    english: 'Mum passed away in January and left us the house. How long have we got to sort everything out?',
  },
  {
    language: 'es',
    passage:
      'Certificado digital: Lo expedimos en la oficina en diez minutos, sin cita, de lunes a jueves de 9:00 a 13:30. Es imprescindible acudir en persona con el documento original; precio 20 euros, validez cuatro años.',
    paraphrase: 'Necesito eso que piden para firmar por internet con la administración, ¿me lo puede recoger mi mujer?',
    direct: '¿Cuántos años de validez tiene el certificado digital?',
    english: 'I need that thing for signing official forms online. Can my wife pick it up for me?',
  },
  // Salon de coiffure
  {
    language: 'fr',
    passage:
      "Première coloration : un test de tolérance est obligatoire 48 heures avant la prestation. Il est offert, dure cinq minutes et se fait sans rendez-vous ; il n'est pas pratiqué sur les moins de 16 ans.",
    paraphrase: "J'ai peur de faire une allergie à la teinture, comment vous vérifiez ça ?",
    direct: "Combien d'heures avant la première coloration le test de tolérance est-il obligatoire ?",
    english: "I'm worried I might be allergic to hair dye. Is there a way you check for that first?",
  },
  {
    language: 'fr',
    passage:
      "Mariée : le forfait comprend un essai d'une heure trente, la coiffure du jour J et la pose du voile. Tarif : 165 € au salon, 210 € à domicile ; acompte de 50 € à la réservation.",
    paraphrase: 'Je dis oui à mon chéri en juin, vous pourriez venir chez mes parents me faire un chignon ?',
    direct: 'Que comprend le forfait mariée ?',
    english: "I'm getting married in June. Could you come to my parents' house to put my hair up?",
  },
  {
    language: 'fr',
    passage:
      "Enfants : coupe à 14 € jusqu'à 10 ans, le mercredi et le samedi matin uniquement. Des rehausseurs et des dessins animés sont à disposition ; le premier passage donne droit à un diplôme et une mèche souvenir.",
    paraphrase: "Mon petit bout de trois piges n'a jamais vu les ciseaux, quand est-ce que je peux l'amener ?",
    direct: "Quels jours la coupe enfants jusqu'à 10 ans est-elle à 14 € ?",
    english: 'My three-year-old has never had a haircut. When can I bring him in?',
  },
  {
    language: 'fr',
    passage:
      "Retouches : si le résultat ne vous convient pas, revenez dans les dix jours avec votre ticket de caisse. La reprise est gratuite ; aucun remboursement n'est accordé après le départ du salon.",
    paraphrase:
      "Ma frange de la semaine dernière est toute de travers, vous me l'égalisez ou vous me rendez mes sous ?",
    direct: 'Dans combien de jours faut-il revenir pour une retouche gratuite ?',
    english: 'The fringe you gave me last week is all wonky. Will you even it up or give me my money back?',
  },
  {
    language: 'fr',
    passage:
      "Don de cheveux : nous envoyons à l'association les longueurs d'au moins 25 cm, non décolorées. La coupe est alors facturée moitié prix ; les cheveux doivent être lavés, secs et attachés en queue de cheval.",
    paraphrase: 'Je passe au carré et je voudrais que ma grande tresse serve à faire des perruques pour des malades.',
    direct: 'Quelle longueur de cheveux faut-il au moins pour le don ?',
    english: "I'm going for a bob and I'd like my long plait to be made into a wig for someone who's ill.",
  },
  {
    language: 'fr',
    passage:
      'Fidélité : chaque visite de plus de 30 € donne un point. Au dixième, vous recevez 20 € à valoir sur un soin ou un produit ; les points expirent après dix-huit mois sans passage.',
    paraphrase: 'Je me fais brusher chez vous toutes les semaines depuis un bail, ça me rapporte un petit avantage ?',
    direct: 'Quand les points de fidélité expirent-ils ?',
    english: "I've been coming for a blow-dry every week for ages. Do regulars get any perks?",
  },
  // Garage automobile
  {
    language: 'fr',
    passage:
      "Véhicule de courtoisie : une citadine est prêtée sur réservation pour toute immobilisation de plus d'une journée. Conditions : permis depuis trois ans, caution de 800 €, 100 km par jour, restitution avec le plein.",
    paraphrase: "Si vous gardez ma Clio jusqu'à vendredi, comment je vais au boulot, moi ?",
    direct: 'Quelle est la caution pour le véhicule de courtoisie ?',
    english: "If you're keeping my Clio till Friday, how am I supposed to get to work?",
  },
  {
    language: 'fr',
    passage:
      "Devis : tout devis est gratuit, sauf si un démontage est nécessaire ; dans ce cas, la main-d'œuvre de 65 € est déduite de la facture si vous nous confiez les travaux. Validité : un mois.",
    paraphrase: 'Est-ce que je dois payer juste pour que vous regardiez le moteur et me disiez combien ça va coûter ?',
    direct: "Dans quel cas le devis n'est-il pas gratuit ?",
    english: 'Do I have to pay just for you to look at the engine and tell me what fixing it will cost?',
  },
  {
    language: 'fr',
    passage:
      "Pneus hiver : nous stockons vos quatre roues d'une saison à l'autre pour 48 €, lavage et étiquetage compris. Le montage se réserve avant le 1er novembre, date d'entrée en vigueur de l'obligation en montagne.",
    paraphrase: "Je n'ai pas de cave : je peux vous laisser mes gommes spécial neige pendant l'été ?",
    direct: "Pour combien stockez-vous les quatre roues d'une saison à l'autre ?",
    english: "I've nowhere to keep my snow tyres over the summer. Can I leave them with you?",
  },
  {
    language: 'fr',
    passage:
      "Contre-visite : après un contrôle technique défavorable, apportez-nous le procès-verbal. Les réparations prescrites sont effectuées sous dix jours ouvrés et nous représentons la voiture au centre pour 30 €, bien avant l'échéance de deux mois.",
    paraphrase: "Ma 208 vient d'être recalée à cause des freins, vous pouvez arranger ça et la repasser à ma place ?",
    direct: 'Pour combien représentez-vous la voiture au centre après un contrôle technique défavorable ?',
    english:
      'My Peugeot just failed its roadworthiness test because of the brakes. Can you sort it and take it back for the retest?',
  },
  {
    language: 'fr',
    passage:
      'Dépannage : notre remorqueuse intervient 7 j/7 de 6 h à 22 h dans un rayon de 40 km. Forfait : 120 €, souvent pris en charge par votre assistance ; sur autoroute, utilisez exclusivement la borne orange.',
    paraphrase:
      'Je suis planté au bord de la nationale avec de la fumée sous le capot, vous pouvez venir me chercher ?',
    direct: 'Dans quel rayon et de quelle heure à quelle heure la remorqueuse intervient-elle ?',
    english: "I'm stranded by the side of a main road with smoke pouring out of the bonnet. Can you come and get me?",
  },
  {
    language: 'fr',
    passage:
      "Climatisation : recharge de gaz R134a à 79 €, R1234yf à 149 €, recherche de fuite incluse. Nous conseillons un entretien tous les deux ans et le remplacement du filtre d'habitacle au printemps.",
    paraphrase:
      "Dans ma bagnole ça ne souffle plus que du tiède en plein mois d'août, c'est combien pour que ça refroidisse ?",
    direct: 'Combien coûte la recharge de gaz R1234yf pour la climatisation ?',
    english: "It's August and my car only blows lukewarm air. What would it cost to get it cold again?",
  },
  // Déménagement
  {
    language: 'fr',
    passage:
      'Cartons : la location de vingt cartons penderie et de cent cartons standard est comprise dans la formule Confort. Les emballages propres sont repris à votre nouvelle adresse sous trois semaines, sinon facturés 2 € pièce.',
    paraphrase: 'Une fois tout rangé dans les placards, vous repassez récupérer les boîtes vides ?',
    direct: 'Sous combien de semaines les emballages propres sont-ils repris ?',
    english: "Once I've put everything away in the cupboards, will you come back for the empty boxes?",
  },
  {
    language: 'fr',
    passage:
      "Stationnement : nous demandons l'autorisation à la mairie quinze jours avant la date et posons les panneaux. Prestation : 85 € ; les frais de fourrière d'un véhicule gênant ne nous incombent pas.",
    paraphrase:
      'Ma rue est toujours blindée de bagnoles, comment votre camion va-t-il trouver une place devant chez moi ?',
    direct: "Combien de jours avant la date demandez-vous l'autorisation de stationnement à la mairie ?",
    english: 'My street is always jammed with cars. How will your lorry find a spot outside my house?',
  },
  {
    language: 'fr',
    passage:
      "Monte-meubles : au-delà du troisième étage sans ascenseur, un élévateur extérieur est requis. Location avec opérateur : 190 € la demi-journée ; la fenêtre doit offrir un passage d'au moins 80 cm.",
    paraphrase:
      "J'habite tout en haut d'un vieil immeuble et l'escalier en colimaçon est bien trop étroit pour mon canapé.",
    direct: 'À partir de quel étage sans ascenseur un élévateur extérieur est-il requis ?',
    english: 'I live right at the top of an old building and the spiral staircase is far too narrow for my sofa.',
  },
  {
    language: 'fr',
    passage:
      "Avaries : inscrivez vos réserves précises sur la lettre de voiture, puis confirmez-les par courrier recommandé dans les dix jours suivant la livraison. Passé ce délai, l'assurance ne prend plus en charge les dommages constatés.",
    paraphrase: "En ouvrant, j'ai trouvé le miroir de mamie en mille morceaux : comment me faire indemniser ?",
    direct: 'Dans combien de jours suivant la livraison faut-il confirmer les réserves par courrier recommandé ?',
    english: "When I unpacked, Grandma's mirror was in a thousand pieces. How do I get compensated?",
  },
  {
    language: 'fr',
    passage:
      "Piano : instrument droit à partir de 220 €, quart de queue à partir de 480 €, avec trois porteurs et housse matelassée. L'accordage après transport n'est pas inclus ; attendez deux semaines qu'il s'acclimate.",
    paraphrase: 'Vos gars savent trimballer un Steinway, et une fois chez moi il sonnera encore juste ?',
    direct: "À partir de combien est le transport d'un piano quart de queue ?",
    english: "Can your guys shift a Steinway, and will it still be in tune once it's at my new place?",
  },
  {
    language: 'fr',
    passage:
      "Report : le changement de date est gratuit jusqu'à trente jours avant le départ, facturé 15 % entre trente et huit jours, 40 % ensuite. L'annulation entraîne la perte des arrhes dans tous les cas.",
    paraphrase: "Le notaire a décalé la remise des clés d'un mois, ça me coûtera quoi de vous faire venir plus tard ?",
    direct: "Jusqu'à combien de jours avant le départ le changement de date est-il gratuit ?",
    english:
      'The solicitor has put the key handover back a month. What will it cost me to have your movers come later?',
  },
  // Cordonnerie
  {
    language: 'fr',
    passage:
      'Ressemelage : semelles cuir cousues Goodyear 85 €, patins caoutchouc collés 25 €. Délai : une semaine pour le cousu, 48 heures pour le collé ; les embauchoirs sont prêtés durant le séchage.',
    paraphrase: 'Il y a un trou sous mes belles pompes de ville, vous les gardez combien de temps pour les refaire ?',
    direct: 'Quel est le délai du ressemelage pour des semelles cousues Goodyear ?',
    english: "There's a hole in the bottom of my smart shoes. How long would you need them for?",
  },
  {
    language: 'fr',
    passage:
      "Clés : reproduction minute des clés plates à 6 €. Les modèles de sécurité se commandent sur présentation de la carte de propriété ; comptez dix jours et 55 €. Aucune copie de badge d'immeuble.",
    paraphrase: "J'emménage avec ma copine et il faudrait un double pour la porte blindée, je peux repartir avec ?",
    direct: "Que faut-il présenter pour commander la reproduction d'un modèle de clé de sécurité ?",
    english:
      "I'm moving in with my girlfriend and need a spare for our reinforced front door. Can I walk out with it the same day?",
  },
  {
    language: 'fr',
    passage:
      'Objets non réclamés : passé un an, les articles réparés et non retirés sont vendus ou remis à une œuvre, conformément à la loi de 1903. Un rappel par SMS est envoyé après trente jours.',
    paraphrase: "J'ai complètement oublié de venir chercher mes bottines depuis Noël dernier, vous les avez encore ?",
    direct: 'Que deviennent les articles réparés et non retirés, passé un an ?',
    english: 'I completely forgot to come and get my ankle boots since last Christmas. Have you still got them?',
  },
  {
    language: 'fr',
    passage:
      'Maroquinerie : nous changeons fermetures à glissière, anses et pressions sur sacs et cartables. Tarif : zip de 22 à 45 € selon la longueur ; les valises rigides sont expédiées chez un partenaire.',
    paraphrase: "Impossible de clore ma besace préférée, les petites dents ne s'accrochent plus, ça se remplace ?",
    direct: 'Quel est le tarif pour changer une fermeture à glissière sur un sac ?',
    english: "The zipper on my favourite shoulder bag won't catch any more. Can it be replaced?",
  },
  {
    language: 'fr',
    passage:
      'Élargissement : mise en forme sur appareil pendant 24 à 72 heures, 12 € la paire. Gain possible : une demi-pointure en largeur, jamais en longueur ; résultat non garanti sur le synthétique.',
    paraphrase: "Mes mocassins neufs me serrent à mort et j'ai des ampoules, vous pouvez les détendre ?",
    direct: "Quel gain en largeur est possible avec l'élargissement ?",
    english: "My new loafers pinch like mad and I've got blisters. Can you stretch them?",
  },
  {
    language: 'fr',
    passage:
      "Orthopédie : sur ordonnance, nous posons talonnettes et compensations jusqu'à 3 cm. Une facture détaillée vous est remise pour la caisse maladie ; prise de mesures le jeudi après-midi avec le podologue.",
    paraphrase:
      "J'ai une jambe plus courte que l'autre, pouvez-vous surélever ma chaussure et la Sécu rembourse-t-elle ?",
    direct: 'Quel jour a lieu la prise de mesures avec le podologue ?',
    english:
      'One of my legs is shorter than the other. Can you build up my shoe, and would health insurance pay for it?',
  },
]

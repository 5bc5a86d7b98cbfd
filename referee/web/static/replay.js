// Shows a duel card by card on a card table, from the data that its page carries.
(() => {
  'use strict';

  const SEATS = { N: 'North', E: 'East', S: 'South', W: 'West' };
  const TEAMS = ['North-South', 'East-West'];
  const VIEWS = ['', ...Object.keys(SEATS)];
  const ROOMS = ['open', 'closed'];
  const SIGNS = { C: '♣', D: '♦', H: '♥', S: '♠' };
  const SUITS = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };
  const SAME_COLOUR = { C: 'S', S: 'C', D: 'H', H: 'D' };
  const RED_AND_BLACK = 'SHCD';
  const RANKS = '23456789TJQKA';
  const RANK_WORDS = ['two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten',
    'jack', 'queen', 'king', 'ace'];
  const WRITES_APART = 350; // ms between addresses: browsers refuse too many

  const find = (id) => document.getElementById(`replay-${id}`);
  const section = document.getElementById('replay');
  const duel = readDuel();
  if (!section || !duel) return;

  const felt = find('table');
  const kept = new Map(); // every card is made once and moved about, so that nothing flickers
  const now = {
    room: 'open', hand: 0, play: 0, see: '',
    faces: remembered('faces', 'pictures'), speed: remembered('speed', '1'),
    fresh: null, timer: 0, written: 0, writing: 0,
  };

  function readDuel() {
    try {
      const read = JSON.parse(document.getElementById('duel-data').textContent);
      return ROOMS.some((room) => read[room]?.hands.length) ? read : null;
    } catch {
      return null; // the page's listing tells the duel without us
    }
  }

  function remembered(what, otherwise) {
    try {
      const value = localStorage.getItem(`upcard.replay.${what}`);
      return [...find(what).options].some((option) => option.value === value) ? value : otherwise;
    } catch {
      return otherwise;
    }
  }

  function remember(what, value) {
    now[what] = value;
    try {
      localStorage.setItem(`upcard.replay.${what}`, value);
    } catch { /* it holds for this page only */ }
  }

  // --- the hand at a moment -----------------------------------------------------------------

  const match = () => duel[now.room];
  const hand = () => match().hands[now.hand];
  const isEuchre = (dealt) => dealt.kitty.length > 0;
  const inWords = (card) => `${RANK_WORDS[RANKS.indexOf(card[0])]} of ${SUITS[card[1]]}`;
  const capital = (words) => words[0].toUpperCase() + words.slice(1);
  const counted = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;

  /** Play the hand again from the deal: so few steps that nothing needs to be remembered. */
  function tableAt(dealt, play) {
    const table = {
      hands: Object.fromEntries(Object.keys(SEATS).map((seat) => [seat, [...dealt.cards[seat]]])),
      taken: { N: 0, E: 0, S: 0, W: 0 },
      trick: [], winner: null, tricks: 0, calls: [], trump: dealt.trump,
      sitsOut: null, pickedUp: null, laidAway: null, step: null,
    };
    dealt.steps.slice(0, play).forEach((step) => take(table, dealt, step));
    return table;
  }

  function take(table, dealt, step) {
    table.step = step;
    if (step.plays) playCard(table, step);
    else if (step.decision.startsWith('bid')) table.calls.push(step);
    table.trump = step.trump ?? table.trump;
    table.sitsOut = step.sits_out ?? table.sitsOut;
    if (step.picks_up) {
      table.pickedUp = step.picks_up;
      table.hands[step.picks_up].push(dealt.turned);
    }
    if (step.lays_away) {
      table.laidAway = step.lays_away;
      leave(table.hands[step.seat], step.lays_away);
    }
  }

  function playCard(table, step) {
    if (table.winner || !table.trick.length) Object.assign(table, { trick: [], tricks: table.tricks + 1 });
    table.winner = step.takes_trick ?? null;
    table.trick.push({ seat: step.seat, card: step.plays });
    leave(table.hands[step.seat], step.plays);
    if (table.winner) table.taken[table.winner] += 1;
  }

  const leave = (cards, card) => cards.splice(cards.indexOf(card), 1);

  /** Trump first, colours in turn, high cards first; in euchre the bowers on top of trump. */
  function sorted(cards, trump, bowers) {
    const first = Math.max(0, RED_AND_BLACK.indexOf(trump));
    const place = (card) => {
      const bower = bowers && trump && card[0] === 'J' && [trump, SAME_COLOUR[trump]].indexOf(card[1]) + 1;
      if (bower) return bower - 100;
      const suit = (RED_AND_BLACK.indexOf(card[1]) - first + 4) % 4;
      return suit * 20 - RANKS.indexOf(card[0]);
    };
    return [...cards].sort((one, other) => place(one) - place(other));
  }

  // --- in a card player's words -------------------------------------------------------------

  function caption(dealt, table) {
    const said = [table.step ? tell(dealt, table) : deal(dealt)];
    if (now.play === dealt.steps.length) said.push(...ending(dealt));
    return said.map((sentence) => `${sentence}.`).join(' ');
  }

  function deal(dealt) {
    const trump = dealt.trump ? `; ${SUITS[dealt.trump]} are trump` : '';
    return `Hand ${dealt.number}: ${SEATS[dealt.dealer]} deals and turns up the ${inWords(dealt.turned)}${trump}`;
  }

  function tell(dealt, { step, trick }) {
    const seat = SEATS[step.seat];
    if (step.lays_away) {
      const open = !now.see || now.see === step.seat;
      return `${seat} lays away ${open ? `the ${inWords(step.lays_away)}` : 'a card'}`;
    }
    if (!step.plays) return tellCall(dealt, step, seat);
    const verb = trick.length === 1 ? 'leads' : 'plays';
    const taker = step.takes_trick;
    const taken = !taker ? '' : taker === step.seat ? ' and takes the trick' : `; ${SEATS[taker]} takes the trick`;
    return `${capital(step.decision)}: ${seat} ${verb} the ${inWords(step.plays)}${taken}`;
  }

  function tellCall(dealt, step, seat) {
    const call = `${capital(step.decision)}: ${seat} ${step.says}`;
    if (step.picks_up) return `${call}; ${SEATS[step.picks_up]} picks up the ${inWords(dealt.turned)}`;
    return call;
  }

  function ending(dealt) {
    const { result } = dealt;
    if (!result) {
      const { forfeited_by: by } = match();
      return by ? [`${SEATS[by]} forfeits the match`] : [];
    }
    const side = result.points[0] ? 0 : 1;
    const points = result.points[side];
    const won = points ? `${TEAMS[side]} make ${counted(points, 'point')}` : '';
    const notes = result.notes.filter((note) => note !== 'ordered_up' && note !== 'named')
      .map((note) => (note === 'euchred' ? `${TEAMS[1 - side]} are euchred` : note.replaceAll('_', ' ')));
    const told = won ? [won, notes.join(', ')].filter(Boolean).join(': ') : 'Nobody makes trump: the hand is thrown in';
    return [told, ...(now.hand === match().hands.length - 1 ? [winners()] : [])];
  }

  function winners() {
    const { score } = match();
    const side = score[0] > score[1] ? 0 : 1;
    return `${TEAMS[side]} win the match, ${score[side]} to ${score[1 - side]}`;
  }

  // --- cards --------------------------------------------------------------------------------

  function made(tag, attributes, words = '') {
    const element = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    element.textContent = words;
    return element;
  }

  function picture(file, alt) {
    return made('img', { src: `${duel.cards}${file}.svg`, alt, width: 240, height: 336, draggable: 'false' });
  }

  function letters(card) {
    const face = made('span', { class: `card ${card[1].toLowerCase()}`, role: 'img', 'aria-label': inWords(card) });
    face.append(made('span', {}, card[0] === 'T' ? '10' : card[0]), made('span', {}, SIGNS[card[1]]));
    return face;
  }

  const FACES = {
    pictures: (card) => (card ? picture(card, inWords(card)) : picture('back', '')),
    letters: (card) => (card ? letters(card) : made('span', { class: 'card back', 'aria-hidden': 'true' })),
  };

  /** Give what lies on the table for a card, or for a back, which is called by its place. */
  function onTable(key, card) {
    const piece = kept.get(key) ?? { holder: made('span', { class: 'held' }), faces: {} };
    kept.set(key, piece);
    if (card) piece.holder.dataset.card = card;
    const face = (piece.faces[now.faces] ??= FACES[now.faces](card));
    if (piece.holder.firstChild !== face) piece.holder.replaceChildren(face);
    piece.holder.classList.toggle('fresh', now.fresh === card && Boolean(card));
    return piece.holder;
  }

  const faceUp = (cards) => cards.map((card) => onTable(card, card));
  const faceDown = (cards, place) => cards.map((_, number) => onTable(`${place} ${number}`, null));

  function lay(pile, cards) {
    cards.forEach((card, place) => {
      if (pile.children[place] !== card) pile.insertBefore(card, pile.children[place] ?? null);
    });
    while (pile.children.length > cards.length) pile.lastChild.remove();
  }

  // --- the table ----------------------------------------------------------------------------

  function show() {
    const dealt = hand();
    const table = tableAt(dealt, now.play);
    Object.assign(felt.dataset, { room: now.room, hand: dealt.number, play: now.play, see: now.see || 'all' });
    felt.classList.toggle('thirteen', !isEuchre(dealt));
    Object.keys(SEATS).forEach((seat) => showSeat(seat, dealt, table));
    showTrick(dealt, table);
    showScore(dealt, table);
    showAbout(dealt, table);
    showControls(dealt);
    say(find('caption'), caption(dealt, table));
    find('link').href = address();
  }

  /** Change only what is new: a live region is read out at every change. */
  function say(element, words) {
    if (element.textContent !== words) element.textContent = words;
  }

  function showSeat(seat, dealt, table) {
    const plate = find(`seat-${seat}`);
    const mark = (name) => plate.querySelector(`[data-mark="${name}"]`);
    const out = table.sitsOut === seat;
    const acted = table.step?.seat === seat;
    say(plate.querySelector('.entrant'), 'NS'.includes(seat) ? match().north_south : match().east_west);
    mark('dealer').hidden = dealt.dealer !== seat;
    mark('turn').hidden = !acted;
    mark('out').hidden = !out;
    say(mark('taken'), out ? '' : counted(table.taken[seat], 'trick'));
    plate.classList.toggle('acted', acted);

    const cards = sorted(table.hands[seat], table.trump, isEuchre(dealt));
    const open = !now.see || now.see === seat;
    const place = find(`hand-${seat}`);
    place.classList.toggle('out', out);
    place.setAttribute('aria-label', `${SEATS[seat]} holds ${counted(cards.length, 'card')}${open ? '' : ', face down'}`);
    lay(place, open ? faceUp(cards) : faceDown(cards, seat));
  }

  function tag(slot, words) {
    const label = slot.querySelector('.tag');
    label.hidden = !words;
    say(label, words);
  }

  function showTrick(dealt, table) {
    const trick = find('trick');
    Object.keys(SEATS).forEach((seat) => {
      const slot = trick.querySelector(`.slot[data-seat="${seat}"]`);
      const played = table.trick.find((each) => each.seat === seat);
      lay(slot.querySelector('.pile'), played ? faceUp([played.card]) : []);
      const led = table.trick[0]?.seat === seat;
      const won = table.winner === seat;
      slot.classList.toggle('won', won);
      tag(slot, [led && 'led', won && 'takes it'].filter(Boolean).join(', '));
    });
    const upcard = isEuchre(dealt) && !table.pickedUp && !table.trick.length;
    lay(find('upcard').querySelector('.pile'), upcard ? faceUp([dealt.turned]) : []);
    tag(find('upcard'), upcard ? turnedWord(table).toLowerCase() : '');
    say(find('trick-number'), table.tricks ? `Trick ${table.tricks}` : '');
    find('trump').replaceChildren(...(table.trump
      ? ['Trump ', made('span', { class: `suit ${table.trump.toLowerCase()}` }, `${SIGNS[table.trump]} ${SUITS[table.trump]}`)]
      : ['No trump yet']));
  }

  function turnedWord({ calls, pickedUp }) {
    if (pickedUp) return `Picked up by ${SEATS[pickedUp]}`;
    return calls.length < 4 ? 'Turned up' : 'Turned down';
  }

  function showScore(dealt, { taken }) {
    const over = now.play === dealt.steps.length && dealt.result;
    const tricks = [taken.N + taken.S, taken.E + taken.W];
    say(find('target'), `The match, to ${duel.target} points`);
    find('score').querySelectorAll('tbody tr').forEach((row, side) => {
      const cell = (what) => row.querySelector(`[data-what="${what}"]`);
      say(row.querySelector('.entrant'), [match().north_south, match().east_west][side]);
      say(cell('tricks'), String(tricks[side]));
      say(cell('before'), String(dealt.score[side]));
      say(cell('after'), over ? String(dealt.score[side] + dealt.result.points[side]) : '–');
    });
  }

  function showAbout(dealt, table) {
    const row = (name) => section.querySelector(`[data-about="${name}"]`);
    say(find('turned-word'), turnedWord(table));
    find('turned').replaceChildren(letters(dealt.turned), ` ${inWords(dealt.turned)}`);
    row('calls').hidden = !isEuchre(dealt);
    const calls = table.calls.map((call) => made('li', {}, `${SEATS[call.seat]} ${call.says}`));
    find('calls').replaceChildren(...(calls.length ? calls : [made('li', {}, 'none yet')]));
    row('kitty').hidden = !isEuchre(dealt);
    lay(find('kitty'), now.see ? faceDown(dealt.kitty, 'kitty') : faceUp(dealt.kitty));
    const { laidAway } = table;
    row('discard').hidden = !laidAway;
    const own = !now.see || now.see === table.pickedUp;
    lay(find('discard'), !laidAway ? [] : own ? faceUp([laidAway]) : faceDown([laidAway], 'discard'));
  }

  function showControls(dealt) {
    const { hands } = match();
    const steps = dealt.steps.length;
    ROOMS.forEach((room) => find(room).setAttribute('aria-pressed', String(room === now.room)));
    const choice = find('hand');
    if (choice.options.length !== hands.length) {
      choice.replaceChildren(...hands.map((each, place) => made('option', { value: place }, String(each.number))));
    }
    choice.value = String(now.hand);
    say(find('hands'), `of ${hands.length}`);
    const slider = find('step');
    slider.max = String(steps);
    slider.value = String(now.play);
    slider.setAttribute('aria-valuetext', now.play ? `step ${now.play} of ${steps}` : 'just dealt');
    find('see').value = now.see;
    find('faces').value = now.faces;
    find('speed').value = now.speed;
    // Not the disabled attribute, which would take the focus away.
    const stop = (ids, stopped) => ids.forEach((id) => find(id).setAttribute('aria-disabled', String(stopped)));
    stop(['first'], now.play === 0);
    stop(['last'], now.play === steps);
    stop(['previous-hand'], now.hand === 0);
    stop(['next-hand'], now.hand === hands.length - 1);
    stop(['back'], now.hand === 0 && now.play === 0);
    stop(['forward'], atEnd());
    say(find('play-word'), now.timer ? 'Pause' : 'Play');
    section.classList.toggle('playing', Boolean(now.timer));
    find('caption').setAttribute('aria-live', now.timer ? 'off' : 'polite');
  }

  // --- moving about -------------------------------------------------------------------------

  const atEnd = () => now.hand === match().hands.length - 1 && now.play === hand().steps.length;
  const between = (number, most) => Math.min(Math.max(number || 0, 0), most);

  /** Move to the nearest position that exists. */
  function go(position) {
    const { hand: held, play } = now;
    const wanted = { ...now, ...position };
    now.room = [wanted.room, ...ROOMS].find((room) => ROOMS.includes(room) && duel[room]?.hands.length);
    now.see = VIEWS.includes(wanted.see) ? wanted.see : '';
    now.hand = between(wanted.hand, match().hands.length - 1);
    now.play = between(wanted.play, hand().steps.length);
    const oneOn = now.hand === held && now.play === play + 1;
    now.fresh = oneOn ? hand().steps[play].plays : null;
    show();
    write();
  }

  function step(by) {
    if (by > 0 && atEnd()) return;
    if (now.play + by > hand().steps.length) go({ hand: now.hand + 1, play: 0 });
    else if (now.play + by < 0) go(now.hand ? { hand: now.hand - 1, play: Infinity } : {});
    else go({ play: now.play + by });
  }

  const toHand = (by) => {
    const wanted = now.hand + by;
    if (wanted >= 0 && wanted < match().hands.length) go({ hand: wanted, play: 0 });
  };

  function pause() {
    clearTimeout(now.timer);
    now.timer = 0;
  }

  function wait() {
    const pauseFor = now.play === hand().steps.length ? 3 : hand().steps[now.play - 1]?.takes_trick ? 1.8 : 1;
    now.timer = setTimeout(() => {
      step(1);
      if (atEnd()) pause();
      else wait();
      showControls(hand());
    }, (1000 / Number(now.speed)) * pauseFor);
  }

  function playOrPause() {
    if (now.timer) {
      pause();
    } else {
      if (atEnd()) go({ hand: 0, play: 0 });
      wait();
    }
    showControls(hand());
  }

  /** Let the hand be turned by the reader alone. */
  const byHand = (move) => () => {
    pause();
    move();
    showControls(hand());
  };

  // --- the address --------------------------------------------------------------------------

  function address() {
    const room = now.room === 'open' ? '' : `room=${now.room}&`;
    return `#${room}hand=${now.hand + 1}&play=${now.play}${now.see && `&see=${now.see}`}`;
  }

  function write() {
    if (now.writing) return;
    const due = now.written + WRITES_APART - Date.now();
    now.writing = setTimeout(() => {
      now.writing = 0;
      now.written = Date.now();
      try {
        history.replaceState(history.state, '', address());
      } catch { /* the replay goes on without */ }
    }, Math.max(0, due));
  }

  /** Read a position; null if the address speaks of something else. */
  function asked(hash) {
    const said = new URLSearchParams(hash.slice(1));
    if (!['room', 'hand', 'play', 'see'].some((name) => said.has(name))) return null;
    const number = (name) => Number.parseInt(said.get(name), 10);
    return { room: said.get('room'), hand: number('hand') - 1, play: number('play'), see: said.get('see') };
  }

  function arrive(event) {
    // Not where we are: a late writing of ours may have changed that already.
    const position = asked(new URL(event?.newURL ?? location.href).hash);
    if (!position) return;
    byHand(() => go(position))();
    section.scrollIntoView();
    felt.focus({ preventScroll: true });
  }

  // --- the reader ---------------------------------------------------------------------------

  const otherRoom = () => go({ room: ROOMS.find((room) => room !== now.room) });
  const nextView = () => go({ see: VIEWS[(VIEWS.indexOf(now.see) + 1) % VIEWS.length] });
  function turnFaces(faces) {
    remember('faces', faces);
    show();
  }

  const MOVES = {
    first: byHand(() => go({ play: 0 })),
    back: byHand(() => step(-1)),
    forward: byHand(() => step(1)),
    last: byHand(() => go({ play: Infinity })),
    'previous-hand': byHand(() => toHand(-1)),
    'next-hand': byHand(() => toHand(1)),
    play: playOrPause,
    open: () => go({ room: 'open' }),
    closed: () => go({ room: 'closed' }),
  };
  const KEYS = {
    ArrowRight: MOVES.forward, ArrowLeft: MOVES.back, Home: MOVES.first, End: MOVES.last,
    PageDown: MOVES['next-hand'], n: MOVES['next-hand'], PageUp: MOVES['previous-hand'], p: MOVES['previous-hand'],
    ' ': playOrPause, r: otherRoom, v: nextView,
    f: () => turnFaces(now.faces === 'letters' ? 'pictures' : 'letters'),
  };

  function onKey(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (target.closest?.('input, select, textarea, [contenteditable]')) return;
    if (key === ' ' && target.closest?.('button, a, summary')) return;
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (!Object.hasOwn(KEYS, name)) return;
    event.preventDefault();
    KEYS[name]();
  }

  /** A link to where we are already changes no address, but asks to be taken there. */
  function onClick(event) {
    const link = event.target.closest?.('a[href*="#"]');
    if (link && link.href === location.href) arrive(null);
  }

  Object.entries(MOVES).forEach(([id, move]) => find(id).addEventListener('click', move));
  find('hand').addEventListener('change', (event) => byHand(() => go({ hand: Number(event.target.value), play: 0 }))());
  find('step').addEventListener('input', (event) => byHand(() => go({ play: Number(event.target.value) }))());
  find('see').addEventListener('change', (event) => go({ see: event.target.value }));
  find('faces').addEventListener('change', (event) => turnFaces(event.target.value));
  find('speed').addEventListener('change', (event) => remember('speed', event.target.value));
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', onClick);
  window.addEventListener('hashchange', arrive);

  ROOMS.forEach((room) => { find(room).hidden = !duel[room]?.hands.length; });
  section.hidden = false;
  now.room = ROOMS.find((room) => duel[room]?.hands.length);
  show();
  arrive(null);
})();

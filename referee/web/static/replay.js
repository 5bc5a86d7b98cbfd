// Shows a duel card by card on a card table, from the data that its page carries.
(() => {
  'use strict';

  const SEATS = { N: 'North', E: 'East', S: 'South', W: 'West' };
  const ALL = Object.keys(SEATS);
  const VIEWS = ['', ...ALL];
  const TEAMS = ['North-South', 'East-West'];
  const ROOMS = ['open', 'closed'];
  const SIGNS = { C: '♣', D: '♦', H: '♥', S: '♠' };
  const SUITS = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };
  const RED_AND_BLACK = 'SHCD';
  const SAME_COLOUR = { C: 'S', S: 'C', D: 'H', H: 'D' };
  const RANKS = '23456789TJQKA';
  const RANK_WORDS = 'two three four five six seven eight nine ten jack queen king ace'.split(' ');
  const BETWEEN_ADDRESSES = 350; // ms: browsers refuse too many

  const find = (id) => document.getElementById(`replay-${id}`);
  const section = document.getElementById('replay');
  const duel = readDuel();
  if (!section || !duel) return;

  const now = {
    room: 'open', hand: 0, play: 0, see: '',
    faces: remembered('faces', 'pictures'), speed: remembered('speed', '1'),
    fresh: null, timer: 0, written: 0, writing: 0,
  };
  const pieces = new Map(); // each card is one element that is moved, so that nothing flickers

  function readDuel() {
    try {
      const read = JSON.parse(document.getElementById('duel-data').textContent);
      return ROOMS.some((room) => read[room]?.hands.length) ? read : null;
    } catch {
      return null; // the page lists the play, too
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
    } catch { /* then for this page only */ }
  }

  // --- the state of the hand

  const match = () => duel[now.room];
  const hand = () => match().hands[now.hand];
  const handOver = () => now.play === hand().steps.length;
  const lastHand = () => now.hand === match().hands.length - 1;
  const atEnd = () => lastHand() && handOver();
  const isEuchre = (dealt) => dealt.kitty.length > 0;
  const leave = (cards, card) => cards.splice(cards.indexOf(card), 1);

  /** Replay the hand from the deal: there are so few steps that no state is kept. */
  function tableAt(dealt, play) {
    const table = {
      hands: Object.fromEntries(ALL.map((seat) => [seat, [...dealt.cards[seat]]])),
      taken: { N: 0, E: 0, S: 0, W: 0 }, trick: [], tricks: 0, winner: null,
      calls: [], trump: dealt.trump, sitsOut: null, pickedUp: null, laidAway: null, step: null,
    };
    dealt.steps.slice(0, play).forEach((step) => follow(table, dealt, step));
    return table;
  }

  function follow(table, dealt, step) {
    table.step = step;
    table.trump = step.trump ?? table.trump;
    table.sitsOut = step.sits_out ?? table.sitsOut;
    if (step.plays) playCard(table, step);
    else if (step.decision.startsWith('bid')) table.calls.push(step);
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
    if (table.winner || !table.tricks) {
      table.trick = [];
      table.tricks += 1;
    }
    table.trick.push({ seat: step.seat, card: step.plays });
    leave(table.hands[step.seat], step.plays);
    table.winner = step.takes_trick ?? null;
    if (table.winner) table.taken[table.winner] += 1;
  }

  /** Trump first, the colours in turn, high cards first; in euchre the bowers lead trump. */
  function sorted(cards, { trump }, bowers) {
    const first = Math.max(0, RED_AND_BLACK.indexOf(trump));
    const place = ([rank, suit]) => {
      const bower = bowers && rank === 'J' && [SAME_COLOUR[trump], trump].indexOf(suit);
      if (bower === 0 || bower === 1) return -20 - bower;
      return ((RED_AND_BLACK.indexOf(suit) - first + 4) % 4) * 20 - RANKS.indexOf(rank);
    };
    return [...cards].sort((one, other) => place(one) - place(other));
  }

  // --- descriptions

  const inWords = ([rank, suit]) => `${RANK_WORDS[RANKS.indexOf(rank)]} of ${SUITS[suit]}`;
  const capital = (words) => words[0].toUpperCase() + words.slice(1);
  const counted = (number, what) => `${number} ${what}${number === 1 ? '' : 's'}`;

  function caption(dealt, table) {
    const sentences = [table.step ? describeStep(dealt, table) : describeDeal(dealt)];
    if (handOver()) sentences.push(dealt.result ? describeResult(dealt.result) : describeForfeit());
    if (atEnd() && dealt.result) sentences.push(describeWinners(match().score));
    return sentences.filter(Boolean).map((sentence) => `${sentence}.`).join(' ');
  }

  function describeDeal({ number, dealer, turned, trump }) {
    const trumps = trump ? `; ${SUITS[trump]} are trump` : '';
    return `Hand ${number}: ${SEATS[dealer]} deals and turns up the ${inWords(turned)}${trumps}`;
  }

  function describeStep(dealt, { step, trick }) {
    const { seat, lays_away: away, picks_up: up, takes_trick: taker } = step;
    if (away) return `${SEATS[seat]} discards ${sees(seat) ? `the ${inWords(away)}` : 'a card'}`;
    const who = `${capital(step.decision)}: ${SEATS[seat]} `;
    if (!step.plays) {
      return who + step.says + (up ? `; ${SEATS[up]} picks up the ${inWords(dealt.turned)}` : '');
    }
    const taken = taker === seat ? ' and takes the trick' : `; ${SEATS[taker]} takes the trick`;
    return `${who}${trick.length > 1 ? 'plays' : 'leads'} the ${inWords(step.plays)}${taker ? taken : ''}`;
  }

  function describeResult({ points, notes }) {
    const side = points[0] ? 0 : 1;
    if (!points[side]) return 'Nobody makes trump: the hand is thrown in';
    const words = { ordered_up: '', named: '', stuck: 'the dealer was stuck', euchred: `${TEAMS[1 - side]} are euchred` };
    const noted = notes.map((note) => words[note] ?? note).filter(Boolean).reverse().join(', ');
    return `${TEAMS[side]} make ${counted(points[side], 'point')}${noted && `: ${noted}`}`;
  }

  function describeForfeit() {
    const by = match().forfeited_by;
    return by && `${SEATS[by]} forfeits the match to ${TEAMS['NS'.includes(by) ? 1 : 0]}`;
  }

  function describeWinners(score) {
    const side = score[0] > score[1] ? 0 : 1;
    return `${TEAMS[side]} win the match, ${score[side]} to ${score[1 - side]}`;
  }

  function describeTurned({ calls, pickedUp }) {
    if (pickedUp) return `Picked up by ${SEATS[pickedUp]}`;
    return calls.length < 4 ? 'Turned up' : 'Turned down';
  }

  // --- cards

  function create(tag, attributes, ...inside) {
    const element = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    element.append(...inside);
    return element;
  }

  function letters([rank, suit]) {
    const name = { class: `card ${suit.toLowerCase()}`, role: 'img', 'aria-label': inWords(rank + suit) };
    return create('span', name, create('span', {}, rank === 'T' ? '10' : rank), create('span', {}, SIGNS[suit]));
  }

  function picture(file, alt) {
    return create('img', { src: `${duel.cards}${file}.svg`, alt, width: 240, height: 336, draggable: false });
  }

  const FACES = {
    pictures: (card) => picture(card, inWords(card)),
    letters,
  };
  const BACKS = {
    pictures: () => picture('back', ''),
    letters: () => create('span', { class: 'card back', 'aria-hidden': true }),
  };

  /** Return the element of a card; a card face down is known by its place only. */
  function piece(place, card) {
    const cached = pieces.get(place) ?? { holder: create('span', { class: 'held' }) };
    pieces.set(place, cached);
    if (card) cached.holder.dataset.card = card;
    const face = (cached[now.faces] ??= (card ? FACES : BACKS)[now.faces](card));
    if (cached.holder.firstChild !== face) cached.holder.replaceChildren(face);
    cached.holder.classList.toggle('fresh', Boolean(card) && card === now.fresh);
    return cached.holder;
  }

  function lay(pile, cards, open = true, place = pile.id) {
    const laid = cards.map((card, number) => (open ? piece(card, card) : piece(`${place} ${number}`, null)));
    laid.forEach((each, number) => {
      if (pile.children[number] !== each) pile.insertBefore(each, pile.children[number] ?? null);
    });
    while (pile.children.length > laid.length) pile.lastChild.remove();
  }

  // --- the table

  const sees = (seat) => !now.see || now.see === seat;

  function show() {
    const dealt = hand();
    const table = tableAt(dealt, now.play);
    Object.assign(find('table').dataset, {
      room: now.room, hand: dealt.number, play: now.play, see: now.see || 'all',
    });
    find('table').classList.toggle('thirteen', !isEuchre(dealt));
    ALL.forEach((seat) => showSeat(seat, dealt, table));
    showTrick(dealt, table);
    showScore(dealt, table);
    showAbout(dealt, table);
    showControls();
    setText(find('caption'), caption(dealt, table));
  }

  /** Set the text if it differs: screen readers read a live region at every change. */
  function setText(element, words) {
    if (element.textContent !== words) element.textContent = words;
  }

  function showSeat(seat, dealt, table) {
    const plate = find(`seat-${seat}`);
    const mark = (name) => plate.querySelector(`[data-mark="${name}"]`);
    const out = table.sitsOut === seat;
    const acted = table.step?.seat === seat;
    setText(plate.querySelector('.entrant'), match().sides['NS'.includes(seat) ? 0 : 1]);
    mark('dealer').hidden = dealt.dealer !== seat;
    mark('turn').hidden = !acted;
    mark('out').hidden = !out;
    setText(mark('taken'), out ? '' : counted(table.taken[seat], 'trick'));
    plate.classList.toggle('acted', acted);

    const cards = sorted(table.hands[seat], table, isEuchre(dealt));
    const pile = find(`hand-${seat}`);
    pile.classList.toggle('out', out);
    const holds = `${SEATS[seat]} holds ${counted(cards.length, 'card')}`;
    pile.setAttribute('aria-label', sees(seat) ? holds : `${holds}, face down`);
    lay(pile, cards, sees(seat));
  }

  function showTrick(dealt, table) {
    ALL.forEach((seat) => {
      const played = table.trick.find((each) => each.seat === seat);
      const won = table.winner === seat;
      const notes = [played && played === table.trick[0] && 'led', won && 'takes it'].filter(Boolean);
      const slot = showSlot(`played-${seat}`, played ? [played.card] : [], notes.join(', '));
      slot.classList.toggle('won', won);
    });
    const up = isEuchre(dealt) && !table.pickedUp && !table.tricks;
    showSlot('upcard', up ? [dealt.turned] : [], up ? describeTurned(table).toLowerCase() : '');
    setText(find('trick-number'), table.tricks ? `Trick ${table.tricks}` : '');
    const { trump } = table;
    find('trump').replaceChildren(...(trump
      ? ['Trump ', create('span', { class: `suit ${trump.toLowerCase()}` }, `${SIGNS[trump]} ${SUITS[trump]}`)]
      : ['No trump yet']));
  }

  function showSlot(id, cards, note) {
    const slot = find(id);
    const tag = slot.querySelector('.tag');
    lay(slot.querySelector('.pile'), cards);
    tag.hidden = !note;
    setText(tag, note);
    return slot;
  }

  function showScore({ score, result }, { taken }) {
    const tricks = [taken.N + taken.S, taken.E + taken.W];
    setText(find('target'), `The match, to ${duel.target} points`);
    find('score').querySelectorAll('tbody tr').forEach((row, side) => {
      const cell = (what) => row.querySelector(`[data-what="${what}"]`);
      setText(row.querySelector('.entrant'), match().sides[side]);
      setText(cell('tricks'), String(tricks[side]));
      setText(cell('before'), String(score[side]));
      setText(cell('after'), handOver() && result ? String(score[side] + result.points[side]) : '–');
    });
  }

  function showAbout(dealt, table) {
    const row = (name) => section.querySelector(`[data-about="${name}"]`);
    const calls = table.calls.map((call) => `${SEATS[call.seat]} ${call.says}`);
    const discard = table.laidAway ? [table.laidAway] : [];
    setText(find('turned-word'), describeTurned(table));
    find('turned').replaceChildren(letters(dealt.turned), ` ${inWords(dealt.turned)}`);
    find('calls').replaceChildren(...(calls.length ? calls : ['none yet']).map((call) => create('li', {}, call)));
    lay(find('kitty'), dealt.kitty, !now.see);
    lay(find('discard'), discard, sees(table.pickedUp));
    row('calls').hidden = row('kitty').hidden = !isEuchre(dealt);
    row('discard').hidden = !discard.length;
  }

  function showControls() {
    const { hands } = match();
    const steps = hand().steps.length;
    ROOMS.forEach((room) => find(room).setAttribute('aria-pressed', room === now.room));
    if (find('hand').options.length !== hands.length) {
      find('hand').replaceChildren(...hands.map(({ number }) => create('option', {}, number)));
    }
    setText(find('hands'), `of ${hands.length}`);
    find('step').max = steps;
    find('step').setAttribute('aria-valuetext', now.play ? `step ${now.play} of ${steps}` : 'just dealt');
    const chosen = { hand: now.hand + 1, step: now.play, see: now.see, faces: now.faces, speed: now.speed };
    Object.entries(chosen).forEach(([id, value]) => { find(id).value = value; });
    const stops = {
      first: !now.play, back: !now.hand && !now.play, 'previous-hand': !now.hand,
      last: handOver(), forward: atEnd(), 'next-hand': lastHand(),
    };
    // Not the disabled attribute: it would take the focus away.
    Object.entries(stops).forEach(([id, stop]) => find(id).setAttribute('aria-disabled', stop));
    setText(find('play-word'), now.timer ? 'Pause' : 'Play');
    section.classList.toggle('playing', Boolean(now.timer));
    find('caption').setAttribute('aria-live', now.timer ? 'off' : 'polite');
    find('link').href = address();
  }

  // --- navigation

  const between = (number, most) => Math.min(Math.max(number || 0, 0), most);

  /** Move to the nearest position that exists. */
  function go(position) {
    const { room, hand: before, play } = now;
    const wanted = { ...now, ...position };
    now.room = [wanted.room, ...ROOMS].find((each) => ROOMS.includes(each) && duel[each]?.hands.length);
    now.see = VIEWS.includes(wanted.see) ? wanted.see : '';
    now.hand = between(wanted.hand, match().hands.length - 1);
    now.play = between(wanted.play, hand().steps.length);
    const oneOn = now.room === room && now.hand === before && now.play === play + 1;
    now.fresh = oneOn ? hand().steps[play].plays : null;
    show();
    writeAddress();
  }

  function step(by) {
    const play = now.play + by;
    if (play < 0 ? !now.hand : by > 0 && atEnd()) return;
    if (play < 0) go({ hand: now.hand - 1, play: Infinity });
    else if (play > hand().steps.length) go({ hand: now.hand + 1, play: 0 });
    else go({ play });
  }

  function toHand(number) {
    if (match().hands[number]) go({ hand: number, play: 0 });
  }

  /** Start the timer of the next step: longer at the end of a trick, longest at that of a hand. */
  function playOn() {
    const longer = handOver() ? 3 : hand().steps[now.play - 1]?.takes_trick ? 1.8 : 1;
    now.timer = setTimeout(() => {
      step(1);
      if (atEnd()) pause();
      else playOn();
      showControls();
    }, (1000 / now.speed) * longer);
  }

  function pause() {
    clearTimeout(now.timer);
    now.timer = 0;
  }

  function playOrPause() {
    if (now.timer) {
      pause();
    } else {
      if (atEnd()) toHand(0);
      playOn();
    }
    showControls();
  }

  /** A step by the reader ends automatic play. */
  const byReader = (move) => (event) => {
    pause();
    move(event);
    showControls();
  };

  // --- the address

  function address() {
    const room = now.room === 'open' ? '' : `room=${now.room}&`;
    return `#${room}hand=${now.hand + 1}&play=${now.play}${now.see && `&see=${now.see}`}`;
  }

  function writeAddress() {
    now.writing ||= setTimeout(() => {
      now.writing = 0;
      now.written = Date.now();
      try {
        history.replaceState(history.state, '', address());
      } catch { /* the replay goes on without */ }
    }, Math.max(0, now.written + BETWEEN_ADDRESSES - Date.now()));
  }

  /** Return the position in an address; null if it has none. */
  function parseHash(hash) {
    const parameters = new URLSearchParams(hash.slice(1));
    if (!['room', 'hand', 'play', 'see'].some((name) => parameters.has(name))) return null;
    const number = (name) => Number.parseInt(parameters.get(name), 10);
    return { room: parameters.get('room'), hand: number('hand') - 1, play: number('play'), see: parameters.get('see') };
  }

  function arrive(url) {
    const position = parseHash(new URL(url).hash);
    if (!position) return;
    pause();
    go(position);
    section.scrollIntoView();
    find('table').focus({ preventScroll: true });
  }

  // --- the reader

  function turnFaces(faces) {
    remember('faces', faces);
    show();
  }

  const MOVES = {
    first: byReader(() => go({ play: 0 })),
    back: byReader(() => step(-1)),
    play: playOrPause,
    forward: byReader(() => step(1)),
    last: byReader(() => go({ play: Infinity })),
    'previous-hand': byReader(() => toHand(now.hand - 1)),
    'next-hand': byReader(() => toHand(now.hand + 1)),
    open: () => go({ room: 'open' }),
    closed: () => go({ room: 'closed' }),
  };
  const CHOICES = {
    hand: byReader(({ target }) => toHand(target.value - 1)),
    see: ({ target }) => go({ see: target.value }),
    faces: ({ target }) => turnFaces(target.value),
    speed: ({ target }) => remember('speed', target.value),
  };
  const KEYS = {
    ArrowRight: MOVES.forward, ArrowLeft: MOVES.back, Home: MOVES.first, End: MOVES.last,
    PageDown: MOVES['next-hand'], PageUp: MOVES['previous-hand'],
    n: MOVES['next-hand'], p: MOVES['previous-hand'], ' ': playOrPause,
    r: () => go({ room: ROOMS.find((room) => room !== now.room) }),
    v: () => go({ see: VIEWS[(VIEWS.indexOf(now.see) + 1) % VIEWS.length] }),
    f: () => turnFaces(now.faces === 'letters' ? 'pictures' : 'letters'),
  };

  function onKey(event) {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (target.closest('input, select, textarea, [contenteditable]')) return;
    if (key === ' ' && target.closest('button, a, summary')) return;
    const name = key.length === 1 ? key.toLowerCase() : key;
    if (!Object.hasOwn(KEYS, name)) return;
    event.preventDefault();
    KEYS[name]();
  }

  /** A link to the current position changes no address, but the reader wants to go there. */
  function onClick(event) {
    const link = event.target.closest('a[href*="#"]');
    if (link?.href === location.href) arrive(link.href);
  }

  Object.entries(MOVES).forEach(([id, move]) => find(id).addEventListener('click', move));
  Object.entries(CHOICES).forEach(([id, choose]) => find(id).addEventListener('change', choose));
  find('step').addEventListener('input', byReader(({ target }) => go({ play: Number(target.value) })));
  document.addEventListener('keydown', onKey);
  document.addEventListener('click', onClick);
  // The address of the event: a delayed writeAddress may have changed the current one since.
  window.addEventListener('hashchange', (event) => arrive(event.newURL));

  now.room = ROOMS.find((room) => duel[room]?.hands.length);
  ROOMS.forEach((room) => { find(room).hidden = !duel[room]?.hands.length; });
  section.hidden = false;
  show();
  arrive(location.href);
})();

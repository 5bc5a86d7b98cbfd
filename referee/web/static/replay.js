// Steps through the hands of a duel, from the data that its page carries.
//
// What a hand looks like is for the script of the table, which calls upcardReplay: card_table.js for
// games that are played in tricks, places.js for games that a program describes.
globalThis.upcardReplay = (makeTable) => {
  'use strict';

  const BETWEEN_ADDRESSES = 350; // ms: browsers refuse too many

  const find = (id) => document.getElementById(`replay-${id}`);
  const section = document.getElementById('replay');
  const duel = readDuel();
  if (!section || !duel) return;

  const ROOMS = Object.keys(duel.rooms);
  const VIEWS = ['', ...duel.seats.map(({ token }) => token)];
  const now = {
    room: ROOMS.find(isPlayed), hand: 0, play: 0, see: '', speed: remembered('speed', '1'),
    timer: 0, written: 0, writing: 0,
  };
  const table = makeTable({
    duel, now, section, find, create, setText, counted, capital, sees, match, handOver, atEnd,
    show, go, byReader, remember, remembered,
  });

  function readDuel() {
    try {
      const read = JSON.parse(document.getElementById('duel-data').textContent);
      return Object.values(read.rooms).some(({ hands }) => hands.length) ? read : null;
    } catch {
      return null; // the page lists the play, too
    }
  }

  /** Return whether anything was played in a room. */
  function isPlayed(room) {
    return duel.rooms[room]?.hands.length > 0;
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
    try {
      localStorage.setItem(`upcard.replay.${what}`, value);
    } catch { /* then for this page only */ }
  }

  // --- the state of the hand; functions, as the script of the table uses them from the beginning

  function match() { return duel.rooms[now.room]; }
  function hand() { return match().hands[now.hand]; }
  function handOver() { return now.play === hand().steps.length; }
  function lastHand() { return now.hand === match().hands.length - 1; }
  function atEnd() { return lastHand() && handOver(); }
  function sees(seat) { return !now.see || now.see === seat; }

  // --- words and elements

  function capital(words) { return words[0].toUpperCase() + words.slice(1); }
  function counted(number, what) { return `${number} ${what}${number === 1 ? '' : 's'}`; }

  function create(tag, attributes, ...inside) {
    const element = document.createElement(tag);
    Object.entries(attributes).forEach(([name, value]) => element.setAttribute(name, value));
    element.append(...inside);
    return element;
  }

  /** Set the text if it differs: screen readers read a live region at every change. */
  function setText(element, words) {
    if (element.textContent !== words) element.textContent = words;
  }

  // --- what is shown

  /** Show the position; `before` is the one before it if the reader came from there. */
  function show(before = null) {
    const dealt = hand();
    Object.assign(find('table').dataset, {
      room: now.room, hand: dealt.number, play: now.play, see: now.see || 'all',
    });
    const caption = table.show(dealt, before);
    showScore(dealt);
    showControls();
    setText(find('caption'), caption);
    if (find('logged')) setText(find('logged'), logged(dealt));
  }

  /** Return what the bot logged about the move just made, if the reader sees that seat's cards. */
  function logged({ number, steps }) {
    const lines = duel.logged[now.room]?.[number]?.[now.play] ?? [];
    return lines.length && sees(steps[now.play - 1].seat) ? lines.join('\n') : '';
  }

  function showScore({ score, result }) {
    find('score').querySelectorAll('tbody tr').forEach((row, side) => {
      const cell = (what) => row.querySelector(`[data-what="${what}"]`);
      setText(row.querySelector('.entrant'), match().sides[side]);
      setText(cell('before'), signed(score[side]));
      setText(cell('after'), handOver() && result ? signed(score[side] + result.points[side]) : '–');
    });
  }

  function signed(number) { return String(number).replace('-', '−'); }

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
    const chosen = { hand: now.hand + 1, step: now.play, see: now.see, speed: now.speed };
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
    now.room = [wanted.room, ...ROOMS].find((each) => isPlayed(each));
    now.see = VIEWS.includes(wanted.see) ? wanted.see : '';
    now.hand = between(wanted.hand, match().hands.length - 1);
    now.play = between(wanted.play, hand().steps.length);
    const oneOn = now.room === room && now.hand === before && now.play === play + 1;
    show(oneOn ? { play } : null);
    writeAddress();
  }

  /** The next room in which anything was played. */
  function nextRoom() {
    const played = ROOMS.filter(isPlayed);
    return played[(played.indexOf(now.room) + 1) % played.length];
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

  /** Start the timer of the next step: longest at the end of a hand. */
  function playOn() {
    const longer = handOver() ? 3 : table.lasts?.(hand().steps[now.play - 1]) ?? 1;
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
  function byReader(move) {
    return (event) => {
      pause();
      move(event);
      showControls();
    };
  }

  // --- the address

  function address() {
    const room = now.room === ROOMS[0] ? '' : `room=${now.room}&`;
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

  const MOVES = {
    first: byReader(() => go({ play: 0 })),
    back: byReader(() => step(-1)),
    play: playOrPause,
    forward: byReader(() => step(1)),
    last: byReader(() => go({ play: Infinity })),
    'previous-hand': byReader(() => toHand(now.hand - 1)),
    'next-hand': byReader(() => toHand(now.hand + 1)),
    ...Object.fromEntries(ROOMS.map((room) => [room, () => go({ room })])),
  };
  const CHOICES = {
    hand: byReader(({ target }) => toHand(target.value - 1)),
    see: ({ target }) => go({ see: target.value }),
    speed: ({ target }) => { now.speed = target.value; remember('speed', target.value); },
    ...table.choices,
  };
  const KEYS = {
    ArrowRight: MOVES.forward, ArrowLeft: MOVES.back, Home: MOVES.first, End: MOVES.last,
    PageDown: MOVES['next-hand'], PageUp: MOVES['previous-hand'],
    n: MOVES['next-hand'], p: MOVES['previous-hand'], ' ': playOrPause,
    r: () => go({ room: nextRoom() }),
    v: () => go({ see: VIEWS[(VIEWS.indexOf(now.see) + 1) % VIEWS.length] }),
    ...table.keys,
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

  ROOMS.forEach((room) => { find(room).hidden = !isPlayed(room); });
  section.hidden = false;
  show();
  arrive(location.href);
};

// The table of a game that a program describes, for the replay of a duel: whose places hold which cards.
upcardReplay((replay) => {
  'use strict';

  const { duel, now, section, find, create, setText, counted, capital, match, handOver, atEnd } = replay;
  const SEATS = Object.fromEntries(duel.seats.map(({ token, name }) => [token, name]));
  const SIDE_OF = Object.fromEntries(duel.seats.map(({ token, side }) => [token, side]));
  const KINDS = { vloc: 'open', iloc: 'seen by its owner', hloc: 'face down', oloc: 'seen by the others', mem: 'noted' };
  const OF_THE_TABLE = { iloc: 'face down', oloc: 'open' };
  const SIGNS = { CLUBS: '♣', DIAMONDS: '♦', HEARTS: '♥', SPADES: '♠' };
  const NUMBERS = 'TWO THREE FOUR FIVE SIX SEVEN EIGHT NINE TEN'.split(' ');
  const COURT = { JACK: 'J', QUEEN: 'Q', KING: 'K', ACE: 'A' };
  const MOST_CARDS = 16; // of a place; there may be hundreds
  let listed = '';

  // --- the state of the hand

  const placeOf = ({ owner, kind, name, index }) => [owner, kind, name, index].join(' ');
  const valueOf = ({ owner, kind, name }) => `${owner} ${kind} ${name}`;

  /** Replay the hand from its beginning; no state is kept. */
  function tableAt(dealt, play) {
    const table = {
      places: new Map(dealt.places.map((place) => [placeOf(place), place])),
      stored: new Map(dealt.stored.map((value) => [valueOf(value), value])),
      changed: new Set(), step: null,
    };
    dealt.steps.slice(0, play).forEach((step) => follow(table, step));
    return table;
  }

  function follow(table, step) {
    table.step = step;
    table.changed = new Set();
    step.moves.places.forEach((place) => {
      table.places.set(placeOf(place), place);
      table.changed.add(placeOf(place));
    });
    step.moves.stored.forEach((value) => {
      if (value.value === null) table.stored.delete(valueOf(value));
      else table.stored.set(valueOf(value), value);
      table.changed.add(valueOf(value));
    });
  }

  // --- descriptions

  const isTold = ({ moves }) => !now.see || moves.told_to.includes(now.see);
  const says = (step) => (isTold(step) ? step.says : step.moves.others_hear);
  const points = (values) => duel.sides.map((side, number) => `${side} ${values[number]}`).join(', ').replaceAll('-', '−');

  function caption(dealt, { step }) {
    const sentences = [step ? `${SEATS[step.seat]} ${says(step)}` : describeStart(dealt)];
    if (handOver() && dealt.stopped) sentences.push(`The hand could not go on: ${dealt.stopped}`);
    if (handOver()) sentences.push(dealt.result ? `Points: ${points(dealt.result.points)}` : describeForfeit());
    if (atEnd() && dealt.result) sentences.push(describeWinner(match().score));
    return sentences.filter(Boolean).map((sentence) => `${sentence}.`).join(' ');
  }

  function describeStart({ number, dealer }) {
    return `Hand ${number}: ${SEATS[first(dealer)]} is the first player`;
  }

  function first(dealer) {
    const tokens = Object.keys(SEATS);
    return tokens[(tokens.indexOf(dealer) + 1) % tokens.length];
  }

  function describeForfeit() {
    const by = match().forfeited_by;
    return by && `${SEATS[by]} forfeits the match`;
  }

  function describeWinner(score) {
    const most = Math.max(...score);
    const winners = duel.sides.filter((_, side) => score[side] === most);
    return winners.length === 1 ? `${winners[0]} wins the match` : 'The match ends level';
  }

  // --- cards

  const rank = (word) => COURT[word] ?? (NUMBERS.includes(word) ? String(NUMBERS.indexOf(word) + 2) : null);

  /** Return a card of the usual deck as rank and suit; null if it is another. */
  function usual(name) {
    const parts = name.split('-');
    const suit = parts.find((part) => SIGNS[part]);
    const other = parts.find((part) => part !== suit);
    return parts.length === 2 && suit && rank(other) ? { rank: other, suit } : null;
  }

  const plain = (name) => capital(name.toLowerCase().replaceAll('_', ' '));

  function card(name) {
    const known = usual(name);
    if (!known) return create('span', { class: 'face' }, plain(name));
    const words = `${known.rank} of ${known.suit}`.toLowerCase();
    const colour = known.suit[0].toLowerCase();
    return create('span', { class: `face ${colour}`, role: 'img', 'aria-label': words }, rank(known.rank) + SIGNS[known.suit]);
  }

  /** Return the cards of a place, the top one last; of many only those on top. */
  function cards(place) {
    const open = !now.see || place.seen_by.includes(now.see);
    const shown = place.cards.slice(-MOST_CARDS);
    const left = place.cards.length - shown.length;
    return [
      ...(left ? [create('span', { class: 'more' }, `${left} more, then`)] : []),
      ...shown.map((name) => (open ? card(name) : create('span', { class: 'face back', role: 'img', 'aria-label': 'face down' }))),
    ];
  }

  // --- the table

  function show(dealt) {
    const table = tableAt(dealt, now.play);
    section.querySelectorAll('.owner').forEach((box) => showOwner(box, dealt, table));
    showMoves(dealt);
    showLine(table);
    return caption(dealt, table);
  }

  function showOwner(box, dealt, table) {
    const { owner } = box.dataset;
    const mine = (each) => each.owner === owner;
    const places = [...table.places.values()].filter(mine).filter(({ cards: held }) => held.length);
    const values = [...table.stored.values()].filter(mine);
    box.hidden = !SEATS[owner] && !places.length && !values.length;
    if (SEATS[owner]) showPlate(box, dealt, table);
    box.querySelector('.places').replaceChildren(...places.map((place) => showPlace(place, table)));
    const stored = box.querySelector('.stored');
    stored.hidden = !values.length;
    stored.replaceChildren(...values.map((value) => showValue(value, table)));
  }

  function showPlate(box, dealt, { step }) {
    const { owner } = box.dataset;
    const acted = step?.seat === owner;
    setText(box.querySelector('.entrant'), match().sides[SIDE_OF[owner]]);
    box.querySelector('[data-mark="first"]').hidden = first(dealt.dealer) !== owner;
    box.querySelector('[data-mark="turn"]').hidden = !acted;
    box.classList.toggle('acted', acted);
  }

  function showPlace(place, { changed }) {
    const nth = place.index ? ` ${place.index}` : '';
    const count = counted(place.cards.length, 'card');
    const kind = (place.owner === 'table' && OF_THE_TABLE[place.kind]) || KINDS[place.kind];
    const label = create('p', { class: 'label' }, create('strong', {}, place.name + nth), ` ${kind}, ${count}`);
    const fresh = changed.has(placeOf(place)) ? ' changed' : '';
    return create('div', { class: `place ${place.kind}${fresh}` }, label, create('p', { class: 'faces' }, ...cards(place)));
  }

  function showValue(value, { changed }) {
    const fresh = changed.has(valueOf(value)) ? ' changed' : '';
    return create('span', { class: `${value.kind}${fresh}` }, `${value.name} `, create('strong', {}, String(value.value).replace(/^-/, '−')));
  }

  // --- the moves

  function showMoves(dealt) {
    const list = find('moves');
    const key = `${now.room} ${now.hand} ${now.see}`;
    if (listed !== key) list.replaceChildren(...dealt.steps.map((step, number) => move(dealt, step, number + 1)));
    listed = key;
    list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const current = list.children[now.play - 1];
    current?.firstChild.setAttribute('aria-current', 'step');
    // Not scrollIntoView, which would move the page, too.
    const top = current ? current.offsetTop - list.offsetTop : 0;
    if (top < list.scrollTop || top + (current?.offsetHeight ?? 0) > list.scrollTop + list.clientHeight) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  function move(dealt, step, number) {
    const parted = duel.partings[dealt.number] === number;
    const button = create('button', { type: 'button' }, create('strong', {}, SEATS[step.seat]), ` ${says(step)}`);
    button.addEventListener('click', replay.byReader(() => replay.go({ play: number })));
    return create('li', parted ? { class: 'parted' } : {}, button, ...(parted ? [create('span', { class: 'tag' }, 'the rooms part')] : []));
  }

  function showLine({ step }) {
    const line = step?.decision.match(/^line (\d+)$/)?.[1];
    const link = find('line');
    link.hidden = !line;
    if (!line) return;
    link.href = `${duel.game}#line-${line}`;
    setText(link, `Line ${line} of the program`);
  }

  return { show };
});

// The card table of a game that is played in tricks, for the replay of a duel.
upcardReplay((replay) => {
  'use strict';

  const { duel, now, section, find, create, setText, counted, capital, sees, match, handOver, atEnd } = replay;

  const SEATS = { N: 'North', E: 'East', S: 'South', W: 'West' };
  const ALL = Object.keys(SEATS);
  const TEAMS = ['North-South', 'East-West'];
  const SIGNS = { C: '♣', D: '♦', H: '♥', S: '♠' };
  const SUITS = { C: 'clubs', D: 'diamonds', H: 'hearts', S: 'spades' };
  const RED_AND_BLACK = 'SHCD';
  const SAME_COLOUR = { C: 'S', S: 'C', D: 'H', H: 'D' };
  const RANKS = '23456789TJQKA';
  const RANK_WORDS = 'two three four five six seven eight nine ten jack queen king ace'.split(' ');

  let faces = replay.remembered('faces', 'pictures');
  let fresh = null; // the card that was just played
  const pieces = new Map(); // each card is one element that is moved, so that nothing flickers

  // --- the state of the hand

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
    const face = (cached[faces] ??= (card ? FACES : BACKS)[faces](card));
    if (cached.holder.firstChild !== face) cached.holder.replaceChildren(face);
    cached.holder.classList.toggle('fresh', Boolean(card) && card === fresh);
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

  function show(dealt, before) {
    const table = tableAt(dealt, now.play);
    fresh = before ? dealt.steps[before.play].plays : null;
    find('table').classList.toggle('thirteen', !isEuchre(dealt));
    find('faces').value = faces;
    ALL.forEach((seat) => showSeat(seat, dealt, table));
    showTrick(dealt, table);
    showTricks(table);
    showAbout(dealt, table);
    return caption(dealt, table);
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

  function showTricks({ taken }) {
    const tricks = [taken.N + taken.S, taken.E + taken.W];
    find('score').querySelectorAll('[data-what="tricks"]').forEach((cell, side) => {
      setText(cell, String(tricks[side]));
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
  function turnFaces(chosen) {
    faces = chosen;
    replay.remember('faces', chosen);
    replay.show();
  }

  return {
    show,
    /** A trick that was just taken is shown for longer. */
    lasts: (step) => (step?.takes_trick ? 1.8 : 1),
    choices: { faces: ({ target }) => turnFaces(target.value) },
    keys: { f: () => turnFaces(faces === 'letters' ? 'pictures' : 'letters') },
  };
});

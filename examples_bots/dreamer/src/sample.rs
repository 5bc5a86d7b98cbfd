//! Dreams: deals that agree with all that a seat knows for certain.

use upcard::{Game, Random};

use crate::cards::{Card, Cards};
use crate::deal::Known;
use crate::plausible;

/// Where a card lies that no seat holds: in the kitty, or laid away.
const AWAY: usize = 4;
const PLACES: usize = 5;
/// How many cards lie there when one was laid away unseen.
const KITTY_AND_ONE: usize = 4;

/// A deal that may be the one on the table; cards as printed.
#[derive(Clone, Copy, Debug)]
pub struct Dream {
    /// What each seat was dealt, which it called on.
    pub dealt: [Cards; 4],
    /// What each seat began the play with.
    pub began: [Cards; 4],
    /// What the dealer laid away.
    pub laid_away: Option<Card>,
    /// How likely she was to lay that away, up to a factor.
    pub chance: f32,
}

/// What is known of the card that the dealer laid away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum LaidAway {
    /// There is none, or it is our own.
    Known(Option<Card>),
    /// It is a card that nobody has seen.
    Unseen,
    /// It may be that, or the upcard; whether it must be the upcard.
    Upcard(Card, bool),
}

/// Draws deals for what a seat knows.
pub struct Sampler<'a> {
    known: &'a Known,
    /// The cards whose place is not known, the least free ones first.
    unknown: Vec<Card>,
    /// Where a card may be, a bit for each place.
    may_be: [u8; 64],
    /// What is known to be in a hand, or was played from it.
    fixed: [Cards; 4],
    laid_away: LaidAway,
}

impl<'a> Sampler<'a> {
    pub fn new(known: &'a Known) -> Self {
        let mut fixed: [Cards; 4] = std::array::from_fn(|seat| known.played_by(seat));
        fixed[known.seat] |= known.held;
        if let Some(card) = known.trump_card {
            fixed[known.dealer] |= Cards::one(card);
        }
        let forbidden = forbidden(known);
        let may_be = std::array::from_fn(|card| places(known.seat, Card(card as u8), &forbidden));
        let upcard = known.auction.map(|auction| auction.upcard);
        let seen = join(fixed) | upcard.into_iter().chain(known.laid_away).collect();
        let mut unknown: Vec<Card> = (known.pack() - seen).iter().collect();
        unknown.sort_by_key(|card| may_be[card.0 as usize].count_ones());
        let laid_away = laid_away(known, join(fixed), forbidden[known.dealer]);
        Self { known, unknown, may_be, fixed, laid_away }
    }

    /// Draws a deal.
    pub fn draw(&self, random: &mut Random) -> Dream {
        match self.laid_away {
            LaidAway::Known(None) => Dream::dealt(self.certain(random, self.fixed).0),
            LaidAway::Known(Some(card)) => {
                let dream = Dream::dealt(self.certain(random, self.fixed).0);
                self.with_laid_away(dream, card, 1.0)
            }
            LaidAway::Unseen => self.with_one_laid_away(random, self.fixed),
            LaidAway::Upcard(card, must_be) => self.with_upcard(random, card, must_be),
        }
    }

    /// Deals with the upcard laid away or in the dealer's hand.
    fn with_upcard(&self, random: &mut Random, card: Card, must_be: bool) -> Dream {
        let dealer = self.known.dealer;
        let unseen = 5 - self.fixed[dealer].len();
        if must_be || random.below(unseen + KITTY_AND_ONE) >= unseen {
            // Not every hand leaves her enough other cards that she may have.
            if let Some((hands, _)) = self.deal_out(random, self.fixed) {
                let chance = plausible::discard(self.known, hands[dealer], card);
                return self.with_laid_away(Dream::dealt(hands), card, chance);
            }
        }
        let mut fixed = self.fixed;
        fixed[dealer] |= Cards::one(card);
        self.with_one_laid_away(random, fixed)
    }

    /// Deals, and draws the card laid away from those that no seat holds, by its chance.
    fn with_one_laid_away(&self, random: &mut Random, fixed: [Cards; 4]) -> Dream {
        let (hands, away) = self.certain(random, fixed);
        let chance = |card| plausible::discard(self.known, hands[self.known.dealer], card);
        let sum: f32 = away.iter().map(chance).sum();
        let mut drawn = random.fraction() as f32 * sum;
        let passed = |card: &Card| {
            drawn -= chance(*card);
            drawn < 0.0
        };
        let card = away.iter().find(passed).unwrap_or(away.top());
        self.with_laid_away(Dream::dealt(hands), card, sum)
    }

    fn with_laid_away(&self, mut dream: Dream, card: Card, chance: f32) -> Dream {
        let dealer = self.known.dealer;
        let six = dream.began[dealer] | Cards::one(card);
        let upcard: Cards = self.known.auction.map(|auction| auction.upcard).into_iter().collect();
        Dream { laid_away: Some(card), chance, ..dream.dealt_to(dealer, six - upcard) }
    }

    fn certain(&self, random: &mut Random, fixed: [Cards; 4]) -> ([Cards; 4], Cards) {
        self.deal_out(random, fixed).expect("what was seen agrees with the deal on the table")
    }

    /// Deals the unknown cards; gives the hands, and what no seat holds.
    fn deal_out(&self, random: &mut Random, fixed: [Cards; 4]) -> Option<([Cards; 4], Cards)> {
        let mut dealing = Dealing::new(self, fixed);
        for &card in &self.unknown {
            dealing.put(random, card)?;
        }
        let mut hands = fixed;
        for (hand, dealt) in hands.iter_mut().zip(dealing.put) {
            *hand |= dealt;
        }
        Some((hands, dealing.put[AWAY]))
    }
}

impl Dream {
    fn dealt(hands: [Cards; 4]) -> Self {
        Self { dealt: hands, began: hands, laid_away: None, chance: 1.0 }
    }

    fn dealt_to(&mut self, seat: usize, cards: Cards) -> Self {
        self.dealt[seat] = cards;
        *self
    }
}

/// Dealing out the unknown cards to where they may be.
struct Dealing<'a> {
    may_be: &'a [u8; 64],
    room: [usize; PLACES],
    put: [Cards; PLACES],
}

impl<'a> Dealing<'a> {
    fn new(sampler: &'a Sampler, fixed: [Cards; 4]) -> Self {
        let known = sampler.known;
        let full = if known.game == Game::Euchre { 5 } else { 13 };
        let mut room = [0; PLACES];
        for seat in (0..4).filter(|&seat| seat != known.seat) {
            room[seat] = full - fixed[seat].len();
        }
        room[AWAY] = sampler.unknown.len() - room.iter().sum::<usize>();
        Self { may_be: &sampler.may_be, room, put: [Cards::NONE; PLACES] }
    }

    /// Puts a card where it may be, the likelier the more room there is; None if it cannot be anywhere.
    fn put(&mut self, random: &mut Random, card: Card) -> Option<()> {
        let may_be = self.may_be[card.0 as usize];
        let open = (0..PLACES).filter(|place| may_be >> place & 1 == 1);
        let room: usize = open.clone().map(|place| self.room[place]).sum();
        let place = if room > 0 {
            let mut drawn = random.below(room);
            open.clone().find(|&place| {
                let here = drawn < self.room[place];
                drawn = drawn.wrapping_sub(self.room[place]);
                here
            })
        } else {
            open.clone().find(|&place| self.make_room(place, 1 << place))
        };
        let place = place?;
        self.room[place] -= 1;
        self.put[place] |= Cards::one(card);
        Some(())
    }

    /// Moves cards on until there is room in a place; `tried` has a bit for each place on the way.
    fn make_room(&mut self, place: usize, tried: u8) -> bool {
        if self.room[place] > 0 {
            return true;
        }
        for card in self.put[place] {
            let may_be = self.may_be[card.0 as usize] & !tried;
            for other in (0..PLACES).filter(|other| may_be >> other & 1 == 1) {
                if self.make_room(other, tried | 1 << other) {
                    self.put[place] -= Cards::one(card);
                    self.put[other] |= Cards::one(card);
                    self.room[place] += 1;
                    self.room[other] -= 1;
                    return true;
                }
            }
        }
        false
    }
}

fn join(hands: [Cards; 4]) -> Cards {
    hands.into_iter().fold(Cards::NONE, |all, cards| all | cards)
}

/// The cards that each seat has shown not to hold.
fn forbidden(known: &Known) -> [Cards; 4] {
    if known.plays.is_empty() {
        return [Cards::NONE; 4];
    }
    let mut open = known.opened(std::array::from_fn(|seat| known.played_by(seat)), None);
    for &(_, card) in &known.plays {
        open.play(known.counts_as(card));
    }
    let shown =
        |seat: usize, card: &Card| open.void[seat] >> known.counts_as(*card).suit() & 1 == 1;
    std::array::from_fn(|seat| known.pack().iter().filter(|card| shown(seat, card)).collect())
}

fn places(seat: usize, card: Card, forbidden: &[Cards; 4]) -> u8 {
    let closed = (0..4).filter(|&other| other == seat || forbidden[other].has(card));
    closed.fold(0b11111, |places, other| places & !(1 << other))
}

fn laid_away(known: &Known, seen: Cards, dealer_lacks: Cards) -> LaidAway {
    let hidden = known.picked_up && known.seat != known.dealer;
    match known.auction.map(|auction| auction.upcard).filter(|_| hidden) {
        None => LaidAway::Known(known.laid_away),
        Some(upcard) if seen.has(upcard) => LaidAway::Unseen,
        Some(upcard) => LaidAway::Upcard(upcard, dealer_lacks.has(upcard)),
    }
}

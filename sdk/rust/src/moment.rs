//! What follows by the rules from what is told of a situation; what cannot have been is refused.

use crate::game::seat_at;
use crate::situation::Impossible;
use crate::telling::spaced;
use crate::{Action, Card, CardSet, Game, Phase, Play, Rules, Seat, Sides, Suit};

const MOST_POINTS: u32 = 100;
const ROUND: usize = 4;
const WITH_UPCARD: usize = 6;

type Checked = Result<(), Impossible>;

macro_rules! refuse {
    ($($why:tt)*) => { return Err(Impossible(format!($($why)*))) };
}

/// What is told of a situation, read.
#[derive(Clone)]
pub(crate) struct Told {
    pub rules: Rules,
    pub hand: Vec<Card>,
    pub dealer: Seat,
    pub seat: Option<Seat>,
    pub upcard: Option<Card>,
    pub trump_card: Option<Card>,
    pub calls: Vec<Action>,
    pub trump: Option<Suit>,
    pub maker: Option<Seat>,
    pub played: Vec<Card>,
    pub discard: Option<Card>,
    pub score: Sides,
    pub hand_number: u32,
    pub dealer_stuck: bool,
}

/// What the bidding came to.
#[derive(Clone, Copy, Default)]
pub(crate) struct Made {
    pub trump: Option<Suit>,
    pub maker: Option<Seat>,
    pub sits_out: Option<Seat>,
    pub picked_up: bool,
}

/// A situation, and all that follows from it.
pub(crate) struct Followed {
    pub told: Told,
    pub made: Made,
    pub phase: Phase,
    pub actor: Seat,
    pub leaders: Vec<Seat>,
    plays: Vec<Play>,
    trick: Vec<Card>,
    voids: Vec<(Seat, Suit)>,
}

fn name(seat: Seat) -> &'static str {
    ["North", "East", "South", "West"][seat.index()]
}

impl Told {
    /// All that follows, or why the situation cannot have come about.
    pub fn followed(self) -> Result<Followed, Impossible> {
        self.check()?;
        let mut told = self.with_calls()?;
        let made = match told.game() {
            Game::Euchre => told.bidding()?,
            Game::Whist => Made {
                trump: told.trump_card.map(Card::suit),
                ..Made::default()
            },
        };
        told.check_twice(made)?;
        told.hand.sort_unstable();
        let followed = Followed::of(told, made)?;
        followed.check_actor()?;
        followed.check_discard()?;
        followed.check_hand()?;
        Ok(followed)
    }

    pub fn game(&self) -> Game {
        self.rules.game
    }

    /// Whether the dealer must name a suit in the end.
    pub fn is_stuck(&self) -> bool {
        self.rules.stick_dealer || self.dealer_stuck
    }

    /// The card that is shown to all.
    fn turned(&self) -> Option<Card> {
        self.upcard.or(self.trump_card)
    }

    // What is told, word by word

    fn check(&self) -> Checked {
        self.check_rules()?;
        self.check_fields()?;
        let turned = self.upcard.iter().chain(&self.trump_card);
        let cards = turned.chain(&self.hand).chain(&self.discard);
        for &card in cards.chain(&self.played) {
            if !self.game().pack().contains(card) {
                refuse!("{card} is no card of {}", self.game());
            }
        }
        if self.hand.is_empty() {
            refuse!("the hand is empty");
        }
        Ok(())
    }

    fn check_rules(&self) -> Checked {
        let target = self.rules.target;
        if !(1..=MOST_POINTS).contains(&target) {
            refuse!("a match is to 1 to {MOST_POINTS} points, not {target}");
        }
        if self.rules.partner_must_go_alone && !self.rules.alone {
            refuse!("nobody can be made to go alone where nobody may");
        }
        let Sides { us, them } = self.score;
        if us.max(them) >= target {
            refuse!("the score is not {us} to {them} in a match to {target}");
        }
        Ok(())
    }

    fn check_fields(&self) -> Checked {
        if self.game() == Game::Euchre {
            if self.trump_card.is_some() {
                refuse!("euchre has no trump card");
            }
            return Ok(());
        }
        let fields = [
            ("upcard", self.upcard.is_some()),
            ("trump to be made", self.trump.is_some()),
            ("maker", self.maker.is_some()),
            ("calls", !self.calls.is_empty()),
            ("discard", self.discard.is_some()),
            ("stuck dealer", self.dealer_stuck),
        ];
        if let Some((field, _)) = fields.into_iter().find(|&(_, told)| told) {
            refuse!("whist has no {field}");
        }
        if self.trump_card.is_none() {
            refuse!("the trump card is missing");
        }
        Ok(())
    }

    /// Refuses a card that is in two places.
    fn check_twice(&self, made: Made) -> Checked {
        let upcard = self.upcard.filter(|_| !made.picked_up);
        let cards = self.hand.iter().chain(&self.discard).chain(&self.played);
        let mut seen = CardSet::EMPTY;
        for &card in cards.chain(&upcard) {
            if seen.contains(card) {
                refuse!("{card} is there twice");
            }
            seen.insert(card);
        }
        Ok(())
    }

    // The bidding

    /// The same with the calls by which trump was made in the place of trump and maker.
    fn with_calls(mut self) -> Result<Self, Impossible> {
        let Some(trump) = self.trump.filter(|_| self.calls.is_empty()) else {
            return Ok(self);
        };
        let upcard = match self.upcard {
            Some(upcard) => upcard,
            None => self.nobodys(trump)?,
        };
        let maker = self.maker.unwrap_or(self.dealer.left());
        let passed = (maker.index() + 3 - self.dealer.index()) % 4;
        let (first_round, call) = if upcard.suit() == trump {
            (0, Action::OrderUp)
        } else {
            (ROUND, Action::Name(trump))
        };
        self.upcard = Some(upcard);
        self.calls = vec![Action::Pass; first_round + passed];
        self.calls.push(call);
        Ok(self)
    }

    /// The first card of another suit that nobody is said to have.
    fn nobodys(&self, trump: Suit) -> Result<Card, Impossible> {
        let known = self.hand.iter().chain(&self.played).chain(&self.discard);
        let left = self.game().pack() - known.copied().collect();
        let of_others = left.into_iter().find(|card| card.suit() != trump);
        // With six cards it is in the hand, and only its author can say which one it is.
        let found = of_others.filter(|_| self.hand.len() != WITH_UPCARD);
        found.ok_or_else(|| Impossible("the upcard is missing".to_owned()))
    }

    /// What may be said after so many passes.
    fn menu(&self, said: usize) -> Vec<Action> {
        if said < ROUND {
            return match (
                self.rules.alone,
                self.rules.partner_must_go_alone && said == 1,
            ) {
                (false, _) => vec![Action::Pass, Action::OrderUp],
                (true, true) => vec![Action::Pass, Action::OrderUpAlone],
                (true, false) => vec![Action::Pass, Action::OrderUp, Action::OrderUpAlone],
            };
        }
        let turned = self.turned().map(Card::suit);
        let others = || Suit::ALL.into_iter().filter(|&suit| Some(suit) != turned);
        let mut open = Vec::new();
        if !(self.is_stuck() && said == 2 * ROUND - 1) {
            open.push(Action::Pass);
        }
        open.extend(others().map(Action::Name));
        if self.rules.alone {
            open.extend(others().map(Action::NameAlone));
        }
        open
    }

    /// What the calls come to, each of which has to be legal.
    fn bidding(&self) -> Result<Made, Impossible> {
        if let (Some(maker), None, []) = (self.maker, self.trump, self.calls.as_slice()) {
            refuse!("the trump that {} made is missing", name(maker));
        }
        let Some(upcard) = self.upcard else {
            refuse!("the upcard is missing");
        };
        let mut made = Made::default();
        for (said, &call) in self.calls.iter().enumerate() {
            if made.trump.is_some() {
                refuse!("nothing is said after {}", self.calls[said - 1]);
            }
            let (speaker, open) = (self.dealer.clockwise(said + 1), self.menu(said));
            if !open.contains(&call) {
                let only = spaced(&open);
                refuse!("{} may not say {call}; only{only}", name(speaker));
            }
            if call != Action::Pass {
                made = made_by(speaker, call, upcard);
            } else if said == 2 * ROUND - 1 {
                refuse!("all have passed twice: the hand is thrown in");
            }
        }
        self.check_made(made)?;
        Ok(made)
    }

    fn check_made(&self, made: Made) -> Checked {
        let (Some(trump), Some(maker)) = (made.trump, made.maker) else {
            if self.trump.is_some() || self.maker.is_some() {
                refuse!("nobody has made trump yet");
            }
            if !self.played.is_empty() {
                refuse!("a card is played before trump is made");
            }
            return Ok(());
        };
        if let Some(other) = self.trump.filter(|&other| other != trump) {
            refuse!("trump is {trump} by the calls, not {other}");
        }
        if let Some(other) = self.maker.filter(|&other| other != maker) {
            refuse!("{} made trump, not {}", name(maker), name(other));
        }
        Ok(())
    }

    /// How many tricks a hand has, and so how many cards are dealt to a seat.
    fn tricks(&self) -> usize {
        match self.game() {
            Game::Euchre => 5,
            Game::Whist => 13,
        }
    }
}

fn made_by(maker: Seat, call: Action, upcard: Card) -> Made {
    let (trump, alone) = match call {
        Action::Name(suit) => (suit, false),
        Action::NameAlone(suit) => (suit, true),
        call => (upcard.suit(), call == Action::OrderUpAlone),
    };
    Made {
        trump: Some(trump),
        maker: Some(maker),
        sits_out: alone.then(|| maker.partner()),
        picked_up: matches!(call, Action::OrderUp | Action::OrderUpAlone),
    }
}

impl Followed {
    /// Finds what lies on the table, and who is to act.
    fn of(told: Told, made: Made) -> Result<Self, Impossible> {
        let laying = told.hand.len() == WITH_UPCARD;
        let laying = laying && told.played.is_empty() && told.discard.is_none();
        let (phase, actor) = if made.trump.is_none() {
            let speaker = told.dealer.clockwise(told.calls.len() + 1);
            (Phase::Bidding, speaker)
        } else if made.picked_up && laying {
            (Phase::Discarding, told.dealer)
        } else {
            let eldest = seat_at(0, told.dealer.left(), made.sits_out);
            (Phase::Playing, eldest)
        };
        let mut followed = Self {
            leaders: Vec::new(),
            plays: Vec::new(),
            trick: Vec::new(),
            voids: Vec::new(),
            told,
            made,
            phase,
            actor,
        };
        if phase == Phase::Playing {
            followed.leaders.push(actor);
            for card in followed.told.played.clone() {
                followed.lay(card)?;
            }
        }
        Ok(followed)
    }

    fn lay(&mut self, card: Card) -> Checked {
        let (game, trump) = (self.told.game(), self.made.trump);
        let (seat, suit) = (self.actor, game.effective_suit(card, trump));
        if self.voids.contains(&(seat, suit)) {
            refuse!("{} did not follow {suit}, and has {card}", name(seat));
        }
        self.trick.push(card);
        self.plays.push(Play { seat, card });
        let led = game.effective_suit(self.trick[0], trump);
        if suit != led {
            self.voids.push((seat, led));
        }
        let leader = *self.leaders.last().expect("somebody led");
        let size = if self.made.sits_out.is_some() { 3 } else { 4 };
        if self.trick.len() == size {
            let winner = game.winner(&self.trick, leader, self.made.sits_out, trump);
            self.leaders.extend(winner);
            self.trick.clear();
        }
        if self.leaders.len() > self.told.tricks() {
            refuse!("all tricks are played");
        }
        let leader = *self.leaders.last().expect("somebody led");
        self.actor = seat_at(self.trick.len(), leader, self.made.sits_out);
        Ok(())
    }

    fn check_actor(&self) -> Checked {
        if let Some(other) = self.told.seat.filter(|&seat| seat != self.actor) {
            refuse!("{} is to act, not {}", name(self.actor), name(other));
        }
        Ok(())
    }

    fn check_discard(&self) -> Checked {
        let dealers = self.actor == self.told.dealer && self.phase == Phase::Playing;
        let laid_away = self.made.picked_up && dealers;
        match self.told.discard {
            Some(_) if !laid_away => refuse!("{} laid no card away", name(self.actor)),
            None if laid_away => refuse!("what {} laid away is missing", name(self.actor)),
            _ => Ok(()),
        }
    }

    /// Checks the cards of who is to act.
    fn check_hand(&self) -> Checked {
        let hand = &self.told.hand;
        let plays = self.plays.iter().filter(|play| play.seat == self.actor);
        let own: CardSet = plays.map(|play| play.card).collect();
        let most = match self.phase {
            Phase::Discarding => WITH_UPCARD,
            _ => self.told.tricks() - own.len(),
        };
        let (actor, held) = (name(self.actor), hand.len());
        if held > most {
            refuse!("{actor} holds at most {most} cards here, not {held}");
        }
        if self.made.picked_up || self.told.game() == Game::Whist {
            let known = hand.iter().chain(&self.told.discard);
            self.check_dealers_card(own | known.copied().collect())?;
        }
        for &card in hand {
            let suit = self.told.game().effective_suit(card, self.made.trump);
            if self.voids.contains(&(self.actor, suit)) {
                refuse!("{actor} did not follow {suit}, and has {card}");
            }
        }
        Ok(())
    }

    /// Checks that the card turned up is the dealer's, and nobody else's.
    fn check_dealers_card(&self, own: CardSet) -> Checked {
        let dealer = self.told.dealer;
        let Some(card) = self.told.turned() else {
            return Ok(());
        };
        if self.actor == dealer && !own.contains(card) {
            refuse!("{card} is missing among {}'s cards", name(dealer));
        }
        let others = |play: &Play| play.card == card && play.seat != dealer;
        let held = self.actor != dealer && self.told.hand.contains(&card);
        if held || self.plays.iter().any(others) {
            refuse!("{card} is {}'s, and nobody else's", name(dealer));
        }
        Ok(())
    }

    /// What may be done.
    pub fn legal(&self) -> Vec<Action> {
        let hand: CardSet = self.told.hand.iter().copied().collect();
        let led = self.trick.first().copied();
        let plays = || self.told.game().legal_plays(hand, led, self.made.trump);
        match self.phase {
            Phase::Bidding => self.told.menu(self.told.calls.len()),
            Phase::Discarding => hand.into_iter().map(Action::Discard).collect(),
            Phase::Playing => plays().into_iter().map(Action::Play).collect(),
        }
    }
}

package upcard

// How cards stand to each other: the rules that a bot needs to play a hand on in its head.

import "slices"

// A Game knows the suit and the strength of every card, what may be played and what wins. Trump is
// always a parameter; give [NoSuit] for none.
type Game uint8

// The games.
const (
	Euchre Game = iota + 1
	Whist
)

// String returns "euchre" or "whist".
func (game Game) String() string {
	switch game {
	case Euchre:
		return "euchre"
	case Whist:
		return "whist"
	default:
		return "no game"
	}
}

// Pack returns every card of the game: clubs, diamonds, hearts, spades, each from the lowest rank
// up.
func (game Game) Pack() []Card { return game.table().pack.cards() }

// EffectiveSuit returns the suit a card counts as: the left bower is a trump.
func (game Game) EffectiveSuit(card Card, trump Suit) Suit {
	return game.table().worth[trump][card].suit
}

// Strength returns the place of a card in its effective suit, the higher the stronger. It is
// comparable within a suit only.
func (game Game) Strength(card Card, trump Suit) int {
	return int(game.table().worth[trump][card].strength)
}

// Beats says whether a card takes the trick over from another that is winning it.
func (game Game) Beats(card, other Card, trump Suit) bool {
	worth := &game.table().worth[trump]
	mine, theirs := worth[card], worth[other]
	if mine.suit != theirs.suit {
		return mine.suit == trump
	}
	return mine.strength > theirs.strength
}

// Winner returns the place of the card that wins a trick, whole or not, counted from 0, the led
// card; -1 if no card is played. [PlayerAt] tells whose it is.
func (game Game) Winner(trick []Card, trump Suit) int {
	if len(trick) == 0 {
		return -1
	}
	best := 0
	for place := 1; place < len(trick); place++ {
		if game.Beats(trick[place], trick[best], trump) {
			best = place
		}
	}
	return best
}

// LegalPlays returns the cards of a hand that may follow the led one, or all of them if led is
// [NoCard]. The hand is not changed; the answer may be the hand itself.
func (game Game) LegalPlays(hand []Card, led Card, trump Suit) []Card {
	if led == NoCard {
		return hand
	}
	suit := game.EffectiveSuit(led, trump)
	var following []Card
	for _, card := range hand {
		if game.EffectiveSuit(card, trump) == suit {
			following = append(following, card)
		}
	}
	if following == nil {
		return hand
	}
	return following
}

// worth is what a card counts as.
type worth struct {
	suit     Suit
	strength uint8
}

// gameTable has all that is known of a game's cards, worked out once.
type gameTable struct {
	pack  cardSet
	worth [5][cards + 1]worth
	// suits has the cards that count as a suit, the strongest first, by trump and suit.
	suits [5][5][]Card
}

func (game Game) table() *gameTable { return &gameTables[game] }

var gameTables = [3]gameTable{
	Euchre: newGameTable(Nine, euchreWorth),
	Whist:  newGameTable(Two, whistWorth),
}

func newGameTable(lowest Rank, worthOf func(Card, Suit) worth) (table gameTable) {
	for card := Card(1); card <= cards; card++ {
		if card.Rank() >= lowest {
			table.pack.add(card)
		}
	}
	for trump := NoSuit; trump <= Spades; trump++ {
		for _, card := range table.pack.cards() {
			table.worth[trump][card] = worthOf(card, trump)
		}
		table.suits[trump] = sortedSuits(table.pack.cards(), &table.worth[trump])
	}
	return table
}

func sortedSuits(pack []Card, worth *[cards + 1]worth) (suits [5][]Card) {
	for _, card := range pack {
		suits[worth[card].suit] = append(suits[worth[card].suit], card)
	}
	for _, suit := range suits {
		slices.SortFunc(suit, func(card, other Card) int {
			return int(worth[other].strength) - int(worth[card].strength)
		})
	}
	return suits
}

func whistWorth(card Card, _ Suit) worth {
	return worth{card.Suit(), uint8(card.Rank())}
}

// In euchre the jack of trump and the jack of its colour are the highest trumps.
const (
	leftBower  = uint8(Ace-Nine) + 1
	rightBower = leftBower + 1
)

func euchreWorth(card Card, trump Suit) worth {
	switch {
	case trump != NoSuit && card == CardOf(Jack, trump):
		return worth{trump, rightBower}
	case trump != NoSuit && card == CardOf(Jack, trump.SameColour()):
		return worth{trump, leftBower}
	default:
		return worth{card.Suit(), uint8(card.Rank() - Nine)}
	}
}

package upcard

// Cards, their suits and their ranks, by the numbers they have on the wire.

import "fmt"

// A Suit is one of four; the zero value is [NoSuit].
type Suit uint8

// The suits, in the order of the pack.
const (
	NoSuit Suit = iota
	Clubs
	Diamonds
	Hearts
	Spades
)

// Suits are the four suits, in the order of the pack.
var Suits = [4]Suit{Clubs, Diamonds, Hearts, Spades}

const (
	suitLetters = "CDHS"
	rankLetters = "23456789TJQKA"
)

// SameColour returns the other suit of the same colour.
func (suit Suit) SameColour() Suit {
	if suit == NoSuit {
		return NoSuit
	}
	return Clubs + Spades - suit
}

// String returns the letter of the suit, or "-" for no suit.
func (suit Suit) String() string {
	if suit < Clubs || suit > Spades {
		return "-"
	}
	return suitLetters[suit-1 : suit]
}

// ParseSuit reads a letter out of CDHS.
func ParseSuit(letter string) (Suit, error) {
	if len(letter) == 1 {
		for suit := Clubs; suit <= Spades; suit++ {
			if letter[0] == suitLetters[suit-1] {
				return suit, nil
			}
		}
	}
	return NoSuit, fmt.Errorf("%q is not a suit: one letter out of %s", letter, suitLetters)
}

// MarshalText returns what String returns.
func (suit Suit) MarshalText() ([]byte, error) { return []byte(suit.String()), nil }

// UnmarshalText reads what ParseSuit reads.
func (suit *Suit) UnmarshalText(text []byte) (err error) {
	*suit, err = ParseSuit(string(text))
	return err
}

// A Rank is what a card is within its suit, from [Two] to [Ace]; euchre begins at [Nine].
type Rank uint8

// The ranks, the lowest first. The order is that of plain cards: bowers stand apart.
const (
	Two Rank = iota
	Three
	Four
	Five
	Six
	Seven
	Eight
	Nine
	Ten
	Jack
	Queen
	King
	Ace
)

const ranks = 13

// String returns the letter of the rank.
func (rank Rank) String() string {
	if rank > Ace {
		return "-"
	}
	return rankLetters[rank : rank+1]
}

// A Card is a card as it is printed; the zero value is [NoCard].
type Card uint8

// NoCard is no card at all.
const NoCard Card = 0

const cards = 52

// CardOf returns the card of a rank and a suit.
func CardOf(rank Rank, suit Suit) Card {
	return Card(suit-Clubs)*ranks + Card(rank) + 1
}

// Rank returns what is printed on the card. NoCard has none.
func (card Card) Rank() Rank { return Rank((card - 1) % ranks) }

// Suit returns the printed suit. The left bower counts as another: see [View.EffectiveSuit].
func (card Card) Suit() Suit {
	if card == NoCard {
		return NoSuit
	}
	return Suit((card-1)/ranks) + Clubs
}

// String returns rank and suit, such as "JD", or "--" for no card.
func (card Card) String() string {
	if card == NoCard || card > cards {
		return "--"
	}
	return card.Rank().String() + card.Suit().String()
}

var cardsByName = func() map[string]Card {
	found := make(map[string]Card, cards)
	for card := Card(1); card <= cards; card++ {
		found[card.String()] = card
	}
	return found
}()

// ParseCard reads a rank out of 23456789TJQKA and a suit out of CDHS.
func ParseCard(name string) (Card, error) {
	if card, known := cardsByName[name]; known {
		return card, nil
	}
	return NoCard, fmt.Errorf("%q is not a card: a rank out of %s, then a suit out of %s",
		name, rankLetters, suitLetters)
}

// MarshalText returns what String returns.
func (card Card) MarshalText() ([]byte, error) { return []byte(card.String()), nil }

// UnmarshalText reads what ParseCard reads.
func (card *Card) UnmarshalText(text []byte) (err error) {
	*card, err = ParseCard(string(text))
	return err
}

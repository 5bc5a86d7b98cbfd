package upcard

// What a view tells of cards: those you hold, those that are out, and what they are worth.

import "upcard/upcardv1"

// Pack is every card of the game, in the order of the pack.
func (view *View) Pack() []Card { return view.game.Pack() }

// Hand is the cards you hold, in the order of the pack.
func (view *View) Hand() []Card {
	worked := &view.worked
	if worked.hand == nil {
		worked.hand = appendCards(worked.handInside[:0], view.message.GetHand())
	}
	return worked.hand
}

// LegalCards is the cards you may play or discard, in the order of the legal actions.
func (view *View) LegalCards() []Card {
	if view.phase == Bidding {
		return nil
	}
	return appendCards(make([]Card, 0, len(view.legal)), view.message.GetLegalCards())
}

// Holding is the cards you hold that count as a suit, the strongest first.
func (view *View) Holding(suit Suit) []Card { return view.ofSuit(suit, view.handSet()) }

// CardsStillOut is the cards that others may still play, as far as you can see: all but those you
// hold, those played, those you know to be out of play. In euchre three of them lie in the kitty.
func (view *View) CardsStillOut() []Card { return view.stillOutSet().cards() }

// StillOut is the cards of a suit that others may still play, the strongest first.
func (view *View) StillOut(suit Suit) []Card { return view.ofSuit(suit, view.stillOutSet()) }

// EffectiveSuit is the suit a card counts as: the left bower is a trump. To see how it would be
// with another trump, ask the [Game]; so with Strength and Beats.
func (view *View) EffectiveSuit(card Card) Suit { return view.game.EffectiveSuit(card, view.trump) }

// Strength is the place of a card in its effective suit, the higher the stronger.
func (view *View) Strength(card Card) int { return view.game.Strength(card, view.trump) }

// Beats says whether a card takes the trick over from another that is winning it.
func (view *View) Beats(card, other Card) bool { return view.game.Beats(card, other, view.trump) }

func (view *View) ofSuit(suit Suit, among cardSet) []Card {
	return among.pick(view.game.table().suits[view.trump][suit])
}

func (view *View) handSet() cardSet {
	if view.worked.handSet == 0 {
		view.worked.handSet.addAll(view.message.GetHand())
	}
	return view.worked.handSet
}

func (view *View) stillOutSet() cardSet {
	if view.worked.stillOut == 0 {
		gone := view.handSet()
		gone.addAll(view.message.GetPlayed())
		gone.add(view.Discard())
		if !view.PickedUp() {
			gone.add(view.Upcard())
		}
		view.worked.stillOut = view.game.table().pack &^ gone
	}
	return view.worked.stillOut
}

func appendCards(to []Card, from []upcardv1.Card) []Card {
	for _, card := range from {
		to = append(to, Card(card))
	}
	return to
}

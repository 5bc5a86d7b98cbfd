package upcard

// What a view tells of the play: the trick in progress, and those before it.
// A Played is a card, and who played it.
type Played struct {
	Seat Seat
	Card Card
}

// A Trick is a finished trick.
type Trick struct {
	Leader Seat
	Cards  []Card // in the order they were played
	Winner Seat
}

// Leader is who leads the trick in progress; NoSeat before the play.
func (view *View) Leader() Seat {
	leaders := view.message.GetLeaders()
	if len(leaders) == 0 {
		return NoSeat
	}
	return seatOf(leaders[len(leaders)-1])
}

// Trick is the cards of the trick in progress, the led one first.
func (view *View) Trick() []Card {
	worked := &view.worked
	if worked.trick == nil {
		played := view.message.GetPlayed()
		begun := len(played) - len(played)%view.trickSize()
		worked.trick = appendCards(worked.trickInside[:0], played[begun:])
	}
	return worked.trick
}

// SuitLed is the suit to follow; NoSuit when you lead. The left bower leads trump.
func (view *View) SuitLed() Suit {
	if trick := view.Trick(); len(trick) > 0 {
		return view.EffectiveSuit(trick[0])
	}
	return NoSuit
}

// WinningCard is the card that is winning the trick in progress; NoCard when you lead.
func (view *View) WinningCard() Card {
	if trick := view.Trick(); len(trick) > 0 {
		return trick[view.winner()]
	}
	return NoCard
}

// WinningSeat is who is winning the trick in progress; NoSeat when you lead.
func (view *View) WinningSeat() Seat {
	if len(view.Trick()) == 0 {
		return NoSeat
	}
	return PlayerAt(view.Leader(), view.winner(), view.sitsOut)
}

// PartnerIsWinning says whether your partner's card is winning the trick in progress.
func (view *View) PartnerIsWinning() bool { return view.WinningSeat() == view.Partner() }

// TakesTrick says whether a card would be the winning one if you played it now.
func (view *View) TakesTrick(card Card) bool {
	winning := view.WinningCard()
	return winning == NoCard || view.Beats(card, winning)
}

// LastToPlay says whether your card ends the trick in progress.
func (view *View) LastToPlay() bool { return len(view.Trick()) == view.trickSize()-1 }

// Tricks is the finished tricks.
func (view *View) Tricks() []Trick {
	leaders := view.message.GetLeaders()
	if view.worked.tricks == nil && len(leaders) > 1 {
		size := view.trickSize()
		played := view.message.GetPlayed()
		cards := appendCards(make([]Card, 0, len(played)), played)
		tricks := make([]Trick, len(leaders)-1)
		for turn := range tricks {
			trick := cards[turn*size : (turn+1)*size : (turn+1)*size]
			tricks[turn] = Trick{seatOf(leaders[turn]), trick, seatOf(leaders[turn+1])}
		}
		view.worked.tricks = tricks
	}
	return view.worked.tricks
}

// TricksWon is how many tricks both teams have taken.
func (view *View) TricksWon() (won Sides) {
	leaders := view.message.GetLeaders()
	for turn := 1; turn < len(leaders); turn++ {
		if seatOf(leaders[turn]).SameTeam(view.Seat()) {
			won.Us++
		} else {
			won.Them++
		}
	}
	return won
}

// Plays is every card played in this hand, with who played it.
func (view *View) Plays() []Played {
	played := view.message.GetPlayed()
	if view.worked.plays == nil && len(played) > 0 {
		size, leaders := view.trickSize(), view.message.GetLeaders()
		plays := make([]Played, len(played))
		for place, card := range played {
			seat := PlayerAt(seatOf(leaders[place/size]), place%size, view.sitsOut)
			plays[place] = Played{seat, Card(card)}
		}
		view.worked.plays = plays
	}
	return view.worked.plays
}

// VoidSuits is the suits a seat has shown to have none of, by not following.
func (view *View) VoidSuits(seat Seat) []Suit {
	if view.worked.voids == nil {
		view.worked.voids = view.shownVoids()
	}
	return view.worked.voids[seat].suits()
}

func (view *View) shownVoids() *[4]suitSet {
	var shown [4]suitSet
	var led Suit
	for place, play := range view.Plays() {
		suit := view.EffectiveSuit(play.Card)
		if place%view.trickSize() == 0 {
			led = suit
		} else if suit != led {
			shown[play.Seat] |= 1 << led
		}
	}
	return &shown
}

func (view *View) trickSize() int {
	if view.sitsOut == NoSeat {
		return 4
	}
	return 3
}

// winner returns the place of the card that wins the trick in progress, which is not empty.
func (view *View) winner() int {
	if view.worked.winner == 0 {
		view.worked.winner = view.game.Winner(view.Trick(), view.trump) + 1
	}
	return view.worked.winner - 1
}

// suitSet is a set of suits, a bit for each.
type suitSet uint8

// suits returns them in the order of the pack.
func (set suitSet) suits() (listed []Suit) {
	for _, suit := range Suits {
		if set>>suit&1 == 1 {
			listed = append(listed, suit)
		}
	}
	return listed
}

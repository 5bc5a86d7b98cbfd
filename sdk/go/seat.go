package upcard

// Seats at the table.

// A Seat is a place at the table, counted clockwise from North. Careful: its zero value is North.
type Seat int8

// The seats. North and South are one team, East and West the other.
const (
	NoSeat Seat = iota - 1
	North
	East
	South
	West
)

// Left returns the next seat clockwise, which plays next.
func (seat Seat) Left() Seat { return seat.clockwise(1) }

// Partner returns the seat across the table.
func (seat Seat) Partner() Seat { return seat.clockwise(2) }

// Right returns the seat that plays before this one.
func (seat Seat) Right() Seat { return seat.clockwise(3) }

func (seat Seat) clockwise(steps Seat) Seat {
	if seat == NoSeat {
		return NoSeat
	}
	return (seat + steps) & 3
}

// SameTeam says whether two seats are partners, or the same.
func (seat Seat) SameTeam(other Seat) bool {
	return seat != NoSeat && other != NoSeat && (seat^other)&1 == 0
}

// String returns N, E, S or W, or "-" for no seat.
func (seat Seat) String() string { return "-NESW"[seat+1 : seat+2] }

// PlayerAt returns who plays the card at a place of a trick, counted from 0. A seat that sits out
// is passed over; sitsOut is [NoSeat] if nobody does.
func PlayerAt(leader Seat, place int, sitsOut Seat) Seat {
	return players[sitsOut+1][leader][place]
}

// players has who plays to a trick, by who sits out and who leads.
var players = func() (all [5][4][4]Seat) {
	for sitsOut := NoSeat; sitsOut <= West; sitsOut++ {
		for leader := North; leader <= West; leader++ {
			place := 0
			for _, seat := range [4]Seat{leader, leader.Left(), leader.Partner(), leader.Right()} {
				if seat != sitsOut {
					all[sitsOut+1][leader][place] = seat
					place++
				}
			}
		}
	}
	return all
}()

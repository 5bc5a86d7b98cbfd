// Package upcard is for authors of bots that play card games under the Upcard referee.
//
// A whole bot, which the referee runs as a process:
//
//	package main
//
//	import "upcard"
//
//	type bot struct{}
//
//	func (bot) Choose(view *upcard.View, legal []upcard.Action) upcard.Action {
//		return legal[0]
//	}
//
//	func main() {
//		upcard.Run(func(upcard.Table) upcard.Bot { return bot{} })
//	}
//
// A [View] has what a player sees and may ask about it. What a game or a moment does not have is
// [NoCard], [NoSuit], [NoSeat], false or empty. A [Game] knows how cards stand to each other, for
// bots that play a hand on in their head. A [Mover] plays any game that is described in RECYCLE, from a
// [RecycleView].
package upcard

// Version is the version of this SDK.
const Version = "0.1.0"

package upcard

// The rules at a table.

import "upcard/upcardv1"

// Rules are the rules at the table; what only euchre has is false in whist.
type Rules struct {
	// Target is how many points win the match.
	Target int
	// Alone says whether the maker may play without her partner.
	Alone bool
	// StickDealer says whether the dealer must name a suit when all others passed twice.
	StickDealer bool
	// PartnerMustGoAlone says whether the dealer's partner may order up only alone.
	PartnerMustGoAlone bool
}

func euchreRules(message *upcardv1.EuchreRules) Rules {
	return Rules{
		Target:             int(message.GetTarget()),
		Alone:              message.GetAlone(),
		StickDealer:        message.GetStickDealer(),
		PartnerMustGoAlone: message.GetPartnerMustGoAlone(),
	}
}

func whistRules(message *upcardv1.WhistRules) Rules {
	return Rules{Target: int(message.GetTarget())}
}

import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalPaymentScreen: TerminalScreen, PaymentScreen {
    var purchase = LoadState<Purchase>() { didSet { redraw() } }
    var needsEmail = false { didSet { redraw() } }

    override var title: String { "Payment" }

    override var elements: [FormElement] {
        loaded(purchase) { purchase in
            purchase.lines.map { .block(Row(LineText.leading($0), LineText.trailing($0))) } + [.blank]
                + FormElement.sums(TotalsText.rows(purchase.totals, discount: purchase.discount))
                + (purchase.shipping.map { [.note(AddressText.line($0))] } ?? []) + [.blank]
                + payElements(purchase)
        }
    }

    private func payElements(_ purchase: Purchase) -> [FormElement] {
        let token =
            field("paymentMethod.token", "Card token") { [unowned self] in pay() } + [
                .note("Enter a token such as tok_ok, never a card number."), .blank,
                .button("pay", "Pay \(purchase.totals.total.text)") { [unowned self] in pay() },
            ]
        guard needsEmail else { return token }
        return field("email", "E-mail") + token
            + [.row("sign in", "Sign in instead") { [unowned self] in go(to: .signIn) }]
    }

    /// Pays. This cannot be cancelled once it is sent, because the card may already be charged.
    private func pay() {
        guard areFilled((needsEmail ? ["email"] : []) + ["paymentMethod.token"]) else { return }
        let token = text("paymentMethod.token")
        guard !isCardNumber(token) else {
            form["paymentMethod.token"] = ""
            return refuse("paymentMethod.token", "Never send a card number. Enter a token.")
        }
        perform("Paying", .committed, sending: Pay(cardToken: token, email: needsEmail ? text("email") : nil))
    }

    /// Whether the text has as many digits as a card number (ISO/IEC 7812), and nothing else.
    private func isCardNumber(_ text: String) -> Bool {
        let digits = text.filter { !" -".contains($0) }
        return (12...19).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

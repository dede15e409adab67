import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalPaymentScreen: TerminalScreen, PaymentScreen {
    var purchase = LoadState<Purchase>() { didSet { redraw() } }
    var needsEmail = false { didSet { redraw() } }

    override var title: String { "Payment" }

    override var elements: [FormElement] {
        loaded(purchase) { purchase in
            purchase.lines.map { line in
                .block(Row(LineRow.leading(line.name, line.options, quantity: line.quantity), LineRow.trailing(line)))
            } + [.blank] + FormElement.sums(TotalsText.rows(purchase.totals, discount: purchase.discount))
                + (purchase.shipping.map { [.text(StyledText(AddressText.line($0), .dim))] } ?? []) + [.blank]
                + payElements(purchase)
        }
    }

    private func payElements(_ purchase: Purchase) -> [FormElement] {
        let email = needsEmail ? field("email", "E-mail") : []
        let guest: [FormElement] =
            needsEmail ? [.row("sign in", "Sign in instead") { [unowned self] in go(to: .signIn) }] : []
        return email + field("paymentMethod.token", "Card token") { [unowned self] in pay() }
            + [
                .text(StyledText("A token stands for a card, as in tok_ok; card numbers never come here.", .dim)),
                .blank,
                .button("pay", "Pay \(purchase.totals.total.decimal) \(purchase.totals.total.currency.code)") {
                    [unowned self] in pay()
                },
            ] + guest
    }

    /// Not to be given up once it is sent: it may be done already.
    private func pay() {
        guard areFilled((needsEmail ? ["email"] : []) + ["paymentMethod.token"]) else { return }
        let (token, email) = (text("paymentMethod.token"), needsEmail ? text("email") : nil)
        guard !isCardNumber(token) else {
            form["paymentMethod.token"] = ""
            return refuse("paymentMethod.token", "That is a card's number, which must not be sent. Write its token.")
        }
        perform("Paying", (any PaymentMessages).self, .committed) {
            try await $0.paymentPay(cardToken: token, email: email)
        }
    }

    /// Whether somebody has mistaken the field: it is all digits, as many as cards have (ISO/IEC 7812).
    private func isCardNumber(_ text: String) -> Bool {
        let digits = text.filter { !" -".contains($0) }
        return (12...19).contains(digits.count) && digits.allSatisfy { $0.isASCII && $0.isNumber }
    }
}

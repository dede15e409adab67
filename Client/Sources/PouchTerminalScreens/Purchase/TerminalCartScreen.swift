import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalCartScreen: TerminalScreen, CartScreen {
    var cart = LoadState<Cart>() { didSet { redraw() } }
    var changes: [CartChange] = [] { didSet { redraw() } }
    /// Quantities that are being sent to the cart, by SKU. The next key starts from them.
    private var wanted: [String: Int] = [:] { didSet { redraw() } }
    /// Quantities that could not be sent; they are sent again when the user retries.
    private var failed: [String: Int] = [:]

    override var title: String { "Cart" }

    override var hints: [KeyHint] {
        guard cart.value?.lines.isEmpty == false else { return [] }
        return [("Enter", "open"), ("+ -", "quantity"), ("x", "remove"), ("p", "check out")]
    }

    override var elements: [FormElement] {
        pendingElements
            + loaded(cart) { cart in
                changeElements(cart) + (cart.lines.isEmpty ? emptyElements : contentElements(cart))
            }
    }

    override func pressOwn(_ key: Key) -> Bool {
        guard key == .character("p"), cart.value?.lines.isEmpty == false else { return false }
        checkOut()
        return true
    }

    // MARK: - Elements

    private var pendingElements: [FormElement] {
        let count = status.cart.pendingChanges
        guard count > 0 else { return [] }
        let changes = count == 1 ? "1 change is" : "\(count) changes are"
        return [
            .text(StyledText("\(changes) pending and will be sent once the shop is reachable.", .yellow)), .blank,
        ]
    }

    private func changeElements(_ cart: Cart) -> [FormElement] {
        guard !changes.isEmpty else { return [] }
        return changes.map { change in
            let name = cart.lines.first { $0.sku == change.sku }.map { OptionsText.name($0.name, $0.options) }
            return .text(StyledText(ChangeText.sentence(change, name: name ?? change.sku), .yellow))
        } + [.blank]
    }

    private var emptyElements: [FormElement] {
        [
            .text("The cart is empty."), .blank,
            .button("browse", "Browse the shop") { [unowned self] in go(to: .listing(ProductQuery())) },
        ]
    }

    private func contentElements(_ cart: Cart) -> [FormElement] {
        cart.lines.map(lineElement) + [.blank] + discountElements(cart) + [.blank]
            + FormElement.sums(
                TotalsText.rows(cart.totals, discount: cart.discount, isShippingOpen: cart.shipping == nil))
            + [
                .blank, .button("check out", "Check out") { [unowned self] in checkOut() },
                .button("clear", "Empty cart") { [unowned self] in clear() },
            ]
    }

    private func lineElement(_ line: CartLine) -> FormElement {
        let quantity = wanted[line.sku] ?? line.quantity
        return FormElement(id: "line \(line.sku)") { isFocused in
            Row(
                LineText.leading(line, quantity: quantity), LineText.trailing(line),
                style: isFocused ? .reversed : .plain)
        } press: { [unowned self] key in
            switch key {
            case .enter: go(to: .product(handle: line.productHandle))
            case .character("+"): set(line, to: quantity + 1)
            case .character("-"): quantity > 1 ? set(line, to: quantity - 1) : remove(line)
            case .character("x"), .delete: remove(line)
            default: return false
            }
            return true
        }
    }

    private func discountElements(_ cart: Cart) -> [FormElement] {
        guard let discount = cart.discount else {
            return field("code", "Discount code") { [unowned self] in applyDiscount() }
        }
        return [
            .button("remove discount", "Remove \(discount.code)") { [unowned self] in
                perform("Removing the code", sending: RemoveDiscount())
            }
        ]
    }

    // MARK: - Actions

    private func set(_ line: CartLine, to quantity: Int) {
        guard !isBusy || !wanted.isEmpty else { return }
        wanted[line.sku] = quantity
        // A running activity also sends this quantity.
        perform("Changing the quantity") { [unowned self] in try await setWanted() }
    }

    private func setWanted() async throws {
        if wanted.isEmpty { wanted = failed }
        do {
            while let (sku, quantity) = wanted.first {
                try await send(EditCart.set(sku: sku, quantity: quantity))
                if wanted[sku] == quantity { wanted[sku] = nil }
            }
        } catch {
            (failed, wanted) = (wanted, [:])
            throw error
        }
    }

    private func remove(_ line: CartLine) {
        ask("Remove \(OptionsText.name(line.name, line.options))?", yes: "remove") { [unowned self] in
            perform("Removing", sending: EditCart.remove(sku: line.sku))
        }
    }

    private func clear() {
        ask("Empty the cart?", yes: "empty it", isFinal: true) { [unowned self] in
            perform("Emptying the cart", sending: EditCart.clear)
        }
    }

    private func applyDiscount() {
        let code = text("code")
        guard !code.isEmpty else { return }
        perform("Checking the code", sending: ApplyDiscount(code: code)) { [unowned self] in form["code"] = "" }
    }

    private func checkOut() { perform("Opening the checkout", sending: BeginCheckout()) }
}

import PouchCoordination
import PouchEntities
import PouchScreens
import PouchTerminal

final class TerminalProductScreen: TerminalScreen, ProductScreen {
    /// The quantities to choose from, which are all shown. The cart accepts more.
    private static let quantities = ModelLimits.quantity.clamped(to: 1...9)

    var handle = "" { didSet { redraw() } }
    var product = LoadState<Product>() { didSet { updateChoice() } }
    private var choice: VariantChoice?
    private var quantity = 1
    /// The confirmation of the last addition to the cart.
    private var added: String?

    override var title: String { product.value?.name ?? handle }

    override var hints: [KeyHint] { [("←→", "choose"), ("+", "add to cart"), ("b", "buy now")] }

    override var elements: [FormElement] {
        loaded(product) { product in
            guard let choice else { return [] }
            return heading(product, choice) + choices(product, choice) + buttons(choice) + facts(product)
        }
    }

    override func disappear() { added = nil }

    override func pressOwn(_ key: Key) -> Bool {
        switch key {
        case .character("+"): add()
        case .character("b"): buyNow()
        default: return false
        }
        return true
    }

    /// Keeps the chosen values if the same product is loaded again.
    private func updateChoice() {
        choice = product.value.map {
            VariantChoice($0, chosen: choice?.product.id == $0.id ? choice?.chosen ?? [:] : [:])
        }
        redraw()
    }

    // MARK: - Elements

    private func heading(_ product: Product, _ choice: VariantChoice) -> [FormElement] {
        let variant = choice.variant
        let price =
            variant.map { StyledText(price: $0.price, before: $0.compareAtPrice) } ?? StyledText(priceOf: product)
        let stock = StyledText(stock: variant.map(\.available) ?? product.available)
        let description = product.description.flatMap { $0.isEmpty ? nil : $0 }
        return [.block(Row(StyledText(product.name, .bold), price + "  " + stock))]
            + (description.map { [.blank, .block(Paragraph($0))] } ?? []) + [.blank]
    }

    private func choices(_ product: Product, _ choice: VariantChoice) -> [FormElement] {
        product.options.map { option in
            let values = choice.values(of: option)
            return .choice(
                "option \(option.name)", option.name, values.map(\.name),
                selected: values.firstIndex(where: \.isChosen),
                isOffered: { values[$0].isInStock }
            ) { [unowned self] index in
                self.choice?.choose(values[index].name, for: option.name)
                quantity = 1
                added = nil
            }
        } + [
            .choice(
                "quantity", "Quantity", (1...maxQuantity(of: choice)).map { "\($0)" },
                selected: min(quantity, maxQuantity(of: choice)) - 1
            ) { [unowned self] index in
                quantity = index + 1
                added = nil
            },
            .blank,
        ]
    }

    private func maxQuantity(of choice: VariantChoice) -> Int {
        let most = Self.quantities.upperBound
        return min(most, max(Self.quantities.lowerBound, choice.variant?.available ?? most))
    }

    private func buttons(_ choice: VariantChoice) -> [FormElement] {
        [
            .button("add", "Add to cart") { [unowned self] in add() },
            .button("buy", "Buy now") { [unowned self] in buyNow() },
        ] + (added.map { [.text(StyledText($0, .green))] } ?? []) + [.blank]
    }

    private func facts(_ product: Product) -> [FormElement] {
        let facts: [(name: String, value: String?)] = [
            ("Materials", product.materials?.joined(separator: ", ")), ("Care", product.careInstructions),
            ("Tags", product.tags.joined(separator: ", ")),
        ]
        return facts.compactMap { fact in
            guard let value = fact.value, !value.isEmpty else { return nil }
            return .text(StyledText("\(fact.name): ", .dim) + StyledText(value))
        }
    }

    // MARK: - Actions

    private func add() {
        guard let (variant, count) = chosenItem(), let product = product.value else { return }
        let name = OptionsText.name(product.name, variant.options)
        perform("Adding to the cart") { [unowned self] in
            let badge = try await send(EditCart.add(sku: variant.sku, quantity: count))
            let units = badge.unitCount ?? count
            added = "Added \(count) × \(name). The cart now contains \(units) item\(units == 1 ? "" : "s")."
        }
    }

    private func buyNow() {
        guard let (variant, count) = chosenItem() else { return }
        perform("Opening the checkout") { [unowned self] in
            try await send(BuyNow(sku: variant.sku, quantity: count, from: self))
        }
    }

    /// The variant of the chosen values, and its quantity. If a value is still missing, shows a notice and moves the
    /// focus there.
    private func chosenItem() -> (Variant, count: Int)? {
        added = nil
        guard let choice else { return nil }
        if let variant = choice.variant { return (variant, min(quantity, maxQuantity(of: choice))) }
        if let option = choice.unchosenOptions.first {
            form.focus(on: "option \(option.name)")
            let names = choice.unchosenOptions.map(\.name).joined(separator: ", ")
            notices.append(Notice("Please choose: \(names)."))
        } else {
            notices.append(Notice("This combination does not exist. Choose another one."))
        }
        return nil
    }
}

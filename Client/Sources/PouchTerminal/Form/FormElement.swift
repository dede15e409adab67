/// A part of a form.
@MainActor
public struct FormElement {
    /// Its name within the form; nil where it cannot have the focus.
    let id: String?
    let isField: Bool
    let block: @MainActor (_ isFocused: Bool) -> any Block
    let press: @MainActor (Key) -> Bool

    /// - Parameters:
    ///   - id: unique within the form.
    ///   - press: gets a key while the element has the focus; false when it means nothing here.
    public init(
        id: String, block: @escaping @MainActor (_ isFocused: Bool) -> any Block,
        press: @escaping @MainActor (Key) -> Bool
    ) {
        self.init(id: id, isField: false, block: block, press: press)
    }

    init(
        id: String, isField: Bool, block: @escaping @MainActor (_ isFocused: Bool) -> any Block,
        press: @escaping @MainActor (Key) -> Bool
    ) {
        self.id = id
        self.isField = isField
        self.block = block
        self.press = press
    }

    private init(_ block: any Block) {
        id = nil
        isField = false
        self.block = { _ in block }
        press = { _ in false }
    }

    public static func block(_ block: any Block) -> FormElement { FormElement(block) }

    public static func text(_ text: StyledText) -> FormElement { FormElement(Paragraph(text)) }

    public static var blank: FormElement { FormElement(Row("")) }

    /// Something to do; Enter does it.
    public static func button(_ id: String, _ title: String, do action: @escaping @MainActor () -> Void)
        -> FormElement
    {
        FormElement(id: id) { isFocused in
            Row(StyledText("[ \(title) ]", isFocused ? Style.bold.adding(.reversed) : .bold))
        } press: { key in
            guard key == .enter || key == .character(" ") else { return false }
            action()
            return true
        }
    }

    /// One of a list; Enter opens it.
    public static func row(
        _ id: String, _ leading: StyledText, _ trailing: StyledText = "",
        open: @escaping @MainActor () -> Void
    ) -> FormElement {
        FormElement(id: id) { isFocused in
            Row(leading, trailing, style: isFocused ? .reversed : .plain)
        } press: { key in
            guard key == .enter else { return false }
            open()
            return true
        }
    }

    /// One out of a few; the arrows to the left and right take another.
    ///
    /// - Parameters:
    ///   - selected: nil for none.
    ///   - folds: whether the other values are seen only while it has the focus.
    ///   - isOffered: whether a value can be had; the others are shown struck out, and may be taken all the same.
    public static func choice(
        _ id: String, _ label: String, _ values: [String], selected: Int?, folds: Bool = false,
        isOffered: @escaping @MainActor (Int) -> Bool = { _ in true }, select: @escaping @MainActor (Int) -> Void
    ) -> FormElement {
        FormElement(id: id) { isFocused in
            ChoiceRow(
                label: label, folds: folds, values: values.enumerated().map { ($1, isOffered($0)) }, selected: selected,
                isFocused: isFocused)
        } press: { key in
            guard !values.isEmpty, key == .left || key == .right else { return false }
            let wanted = selected.map { key == .left ? $0 - 1 : $0 + 1 } ?? 0
            if values.indices.contains(wanted) { select(wanted) }
            return true
        }
    }
}

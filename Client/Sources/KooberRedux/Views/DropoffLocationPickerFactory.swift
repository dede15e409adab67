/// Makes what a drop-off picker needs, each time that one is opened.
@MainActor
protocol DropoffLocationPickerFactory {
    func makeDropoffLocationPickerUserInteractions() -> DropoffLocationPickerUserInteractions
}

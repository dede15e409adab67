import PouchEntities

/// What happens while the picker is open.
public enum DropoffLocationPickerAction: Equatable, Sendable {
    case searching(query: String, request: SerialNumber)
    case found([NamedLocation], request: SerialNumber)
    case searchFailed(ErrorToPresent, request: SerialNumber)
}

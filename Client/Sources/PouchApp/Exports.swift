@_exported import PouchScreens

// The protocols and errors for an app's screens and surfaces. An app that writes coordinators of its own imports
// PouchCoordination, whose names, such as Coordinator, may clash with the app's own.
@_exported import protocol PouchCoordination.Message
@_exported import protocol PouchCoordination.NavigationSurface
@_exported import protocol PouchCoordination.Responder
@_exported import protocol PouchCoordination.Screen
@_exported import enum PouchCoordination.UndeliveredMessage
@_exported import struct PouchCoordination.UnhandledMessage
